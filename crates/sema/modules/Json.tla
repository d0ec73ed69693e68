-------------------------------- MODULE Json --------------------------------
(* TLA+ values as JSON text, in memory and in files. Records become objects, *)
(* tuples and sets become arrays; reading gives records and tuples back, and *)
(* never a set. Numbers with a fraction are truncated, null is an error.     *)
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

(* value as a JSON text. *)
ToJson(value) == NATIVE

(* value, a tuple or another function, as the text of a JSON array of its    *)
(* values.                                                                   *)
ToJsonArray(value) == NATIVE

(* value, a record or another function, as the text of a JSON object with    *)
(* one member for each argument.                                             *)
ToJsonObject(value) == NATIVE

(* Equals TRUE. Evaluating it writes value as JSON to the named file, which  *)
(* is replaced if it exists.                                                 *)
JsonSerialize(absoluteFilename, value) == NATIVE

(* The value of the JSON text in the named file. An error if the file cannot *)
(* be read.                                                                  *)
JsonDeserialize(absoluteFilename) == NATIVE

(* Equals TRUE. Evaluating it writes the elements of the tuple value to the  *)
(* named file, each as JSON on a line of its own.                            *)
ndJsonSerialize(absoluteFilename, value) == NATIVE

(* The tuple of values read from the named file, which has one JSON text on  *)
(* each line. Blank lines are skipped.                                       *)
ndJsonDeserialize(absoluteFilename) == NATIVE
=============================================================================
