--------------------------------- MODULE CSV --------------------------------
(* Reading and appending to files of delimited text, one record per line.    *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers

(* Equals TRUE. Evaluating it appends a line to file: template, with its     *)
(* placeholders %1$s, %2$s, ... replaced by the elements of the tuple val.   *)
CSVWrite(template, val, file) == NATIVE

(* Equals TRUE. Evaluating it appends the values of record to file, with     *)
(* delim between them; if headers is TRUE, a line with the field names comes *)
(* first.                                                                    *)
CSVWriteRecord(record, delim, headers, file) == NATIVE

(* The lines of file as a tuple of records with the fields columns. All      *)
(* values are strings. Empty if the file does not exist.                     *)
CSVRead(columns, delimiter, file) == NATIVE

(* The number of lines of file; 0 if it does not exist. *)
CSVRecords(file) == NATIVE
=============================================================================
