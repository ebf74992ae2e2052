// A law that fails has noticed the mutant; nobody wants to see its smallest case.
import * as fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
