import type { Mutant } from './mutant.ts'

/** Plausible bugs in policies (`docs/spec/policies.md`). Only runs with a policy reveal them. */
export const policyMutants: readonly Mutant[] = [
  {
    name: 'the ceilings ignore every node that is being removed',
    caughtBy: 'ceilings-hold',
    file: 'packages/controllers/src/state/ceilings/ceiling-tally.ts',
    text: '...replacing.sort(byName)].slice(0, surge)',
    replacement: '...replacing.sort(byName)]',
  },
  {
    name: 'claims are created although too little is left below the ceilings',
    caughtBy: 'ceilings-hold',
    text: 'if (exceeded !== undefined) throw controllerErrors.CeilingReached({ exceeded })',
    replacement: 'if (exceeded === name) throw controllerErrors.CeilingReached({ exceeded })',
  },
  {
    name: 'commitments are free again although nodes use them',
    caughtBy: 'replacements-cost-less',
    text: 'free: inBillionths(covers) - demand(use)',
    replacement: 'free: inBillionths(covers)',
  },
]
