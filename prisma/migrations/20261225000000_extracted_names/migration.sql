-- The directory of names with which a document was extracted: its version, and the hash of what concerns the document.
-- Its statements are read later, perhaps with another one; then it is extracted and read again.
alter table documents
  add column extracted_directory text,
  add column extracted_names text;
