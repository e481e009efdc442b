/** A mutant lives or dies by the same cases in every run; the first that fails is enough, its smallest form tells nothing more. */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_120, endOnFailure: true });
