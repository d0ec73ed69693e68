------------------------------- MODULE IOUtils ------------------------------
(* Files, environment variables and external commands. Commands run when the *)
(* expression is evaluated, which may be more than once. They yield a record *)
(* with the fields exitValue (an integer), stdout and stderr (strings).      *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

(* Equals TRUE. Evaluating it writes val to the named file in binary form,   *)
(* compressed if compress is TRUE.                                           *)
IOSerialize(val, absoluteFilename, compress) == NATIVE

(* The value that IOSerialize wrote to the named file. *)
IODeserialize(absoluteFilename, compressed) == NATIVE

(* Writes value to dest in the format named by options.format, for instance  *)
(* "TXT"; other fields of options (charset, openOptions) depend on it.       *)
Serialize(value, dest, options) == NATIVE

(* The value read from src in the format named by options.format. *)
Deserialize(src, options) == NATIVE

(* Runs command, a tuple of the program and its arguments, and waits for it. *)
IOExec(command) == NATIVE

(* IOExec with extra environment variables: env is a record with one field   *)
(* for each of them.                                                         *)
IOEnvExec(env, command) == NATIVE

(* IOExec with a tuple of format strings for command: their placeholders,    *)
(* such as %s and %2$s, stand for the elements of parameters.                *)
IOExecTemplate(commandTemplate, parameters) == NATIVE

(* IOExecTemplate with extra environment variables, as in IOEnvExec. *)
IOEnvExecTemplate(env, commandTemplate, parameters) == NATIVE

(* The environment variables, as a record of strings. *)
IOEnv == NATIVE

(* The integer that the string str spells in decimal. *)
atoi(str) == NATIVE

(* The natural number n in decimal, with zeros in front if it has fewer than *)
(* width digits.                                                             *)
zeroPadN(n, width) ==
  LET digits == ToString(n)
      padded[k \in Nat] == IF k \geq width THEN digits ELSE "0" \o padded[k + 1]
  IN  padded[Len(digits)]
=============================================================================
