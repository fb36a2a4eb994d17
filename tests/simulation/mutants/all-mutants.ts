import { awsMutants } from './aws-mutants.ts'
import { azureMutants } from './azure-mutants.ts'
import { clusterApiMutants } from './cluster-api-mutants.ts'
import { exampleMutants } from './example-mutants.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'

/** The deliberate bugs of every cloud. */
export const allMutants: readonly Mutant[] = [
  ...mutants,
  ...awsMutants,
  ...azureMutants,
  ...exampleMutants,
  ...clusterApiMutants,
]
