/** A mutant lives or dies by the same cases in every run. */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_120 });
