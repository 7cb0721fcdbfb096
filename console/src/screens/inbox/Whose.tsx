import { Select } from '../../ui/Field.tsx';

/** All that wait, or what the user asked for. */
export const Whose = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Select
    label="Requested by"
    value={value}
    onChange={onChange}
    options={[
      ['', 'anyone'],
      ['yes', 'me'],
    ]}
  />
);
