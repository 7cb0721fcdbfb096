/** SQL: a time as answers have it, ISO 8601 in UTC, for rows that are read as JSON. */
export const utc = (time: string): string => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
