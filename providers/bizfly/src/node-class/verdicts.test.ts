import { groupVersion, resourceAdmission } from '@kerf/apis'
import { verdictLine } from '@kerf/provider-kit/testing'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { nodeClassVerdicts } from '../testing/verdicts.ts'
import { bizflyNodeClassKind, bizflyNodeClassResource } from './bizfly-node-class.ts'

/** The number of node classes, out of 500, that a normal run compares. */
const SOME = 100

test('random classes get the same verdicts as with the CRD of Bizfly’s own provider on a real API server', () => {
  const verdicts = sampled(nodeClassVerdicts(), SOME, 'verdicts of BizflyCloudNodeClasses')
  const own = verdicts.map(({ spec }) => {
    const admission = resourceAdmission(bizflyNodeClassResource).create({
      ...{ apiVersion: groupVersion(bizflyNodeClassKind), kind: bizflyNodeClassKind.kind },
      ...{ metadata: { name: 'verdict' }, spec },
    })
    return admission.accepted
      ? verdictLine({ accepted: true, spec: admission.object.spec })
      : verdictLine({ accepted: false, fields: admission.errors.map(({ field }) => field) })
  })
  expect(own).toEqual(verdicts.map(({ line }) => line))
  const accepted = own.filter((line) => line.startsWith('accepted')).length
  expect(accepted).toBeGreaterThan(verdicts.length / 5)
  expect(accepted).toBeLessThan((4 * verdicts.length) / 5)
})
