import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clusterApiAnnotations } from '../names.ts'
import { annotatedDeployment } from '../testing/deployment.ts'
import { deploymentOffer } from './deployment-offer.ts'
import { mergedTypes } from './merged-types.ts'
import { describeProblem } from './problem.ts'

/** Random text, half of which is nearly correct. */
const text = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom('0', '1', '9', '.', '-', '+', 'e', 'E', 'm', 'k', 'G', 'i', ' ', '/', ',', '=', ':'),
  }),
  fc.constantFrom(
    '2',
    '4Gi',
    '110',
    'nvidia.com/gpu',
    'a=b',
    'a=b:NoSchedule',
    '0.1',
    'karpenter.sh/capacity-type=spot',
  ),
)
const annotations = fc.dictionary(fc.constantFrom(...Object.values(clusterApiAnnotations)), text)

test('any annotations give either a type, or a problem that explains why there is none', () => {
  fc.assert(
    fc.property(annotations, (found) => {
      const offer = deploymentOffer(annotatedDeployment(found), true)
      const { price, problems } = offer
      const [type] = mergedTypes([offer]).types
      expect(type === undefined).toBe(problems.some(({ consequence }) => consequence === 'no-type'))
      for (const offering of type?.offerings ?? []) expect(offering.price).toBe(price)
      expect(Object.values(type?.capacity ?? {}).every((amount) => amount >= 0n)).toBe(true)
      for (const problem of problems) {
        expect(describeProblem(problem)).toContain(`MachineDeployment default/small: ${problem.key} is `)
      }
    }),
    { numRuns: 2000 },
  )
})
