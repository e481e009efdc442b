/** Set-up for mutation tests: the same random cases in every run, and no shrinking. */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_120, endOnFailure: true });
