import { isEqualJson, type KubeObject } from '@kerf/apis'
import { repeatedObjects } from '../manifests/last-applied.ts'
import type { Manifest } from '../manifests/manifest.ts'
import type { PolicyProblem } from './policy-problems.ts'

const policySpec = ({ object }: Manifest): Readonly<Record<string, unknown>> =>
  (object as KubeObject & { readonly spec?: Readonly<Record<string, unknown>> }).spec ?? {}

/**
 * Returns a problem for each policy that the files define more than once, unless all definitions are equal. `kubectl apply` keeps only the
 * last one, so the cluster would lose the sections of the others.
 */
export const repeatedPolicyProblems = (definitions: readonly Manifest[]): readonly PolicyProblem[] =>
  repeatedObjects(definitions).flatMap(({ object, places, manifests }) => {
    const specs = manifests.map(policySpec)
    const last = specs.at(-1) ?? {}
    if (specs.every((spec) => isEqualJson(spec, last))) return []
    const lost = [...new Set(specs.flatMap((spec) => Object.keys(spec)))].filter(
      (section) => !Object.hasOwn(last, section),
    )
    const without =
      lost.length === 0 ? '' : `, which has no ${lost.map((section) => `spec.${section}`).join(' and no ')}`
    return [
      {
        policy: object,
        problem: `is defined ${places.length} times (${places.join(', ')}), and kubectl apply keeps only the last one${without}`,
        remedy:
          'merge the sections into one object in one file, or check and apply each file alone, with kubectl apply --server-side and a --field-manager of its own',
      },
    ]
  })
