import { importProviderExports } from '../../support/provider-exports.ts'
import { exampleMutants } from './example-mutants.ts'
import { expectedPodMutants } from './expected-pod-mutants.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'
import { policyMutants } from './policy-mutants.ts'
import { poolPolicyMutants } from './pool-policy-mutants.ts'

/** The deliberate bugs that each provider exports from `./testing/mutants`. */
const ofProviders = await importProviderExports<{ readonly cloudMutants: readonly Mutant[] }>('./testing/mutants')

/** The deliberate bugs of every cloud. */
export const allMutants: readonly Mutant[] = [
  ...mutants,
  ...exampleMutants,
  ...expectedPodMutants,
  ...policyMutants,
  ...poolPolicyMutants,
  ...ofProviders.flatMap(({ cloudMutants }) => cloudMutants),
]
