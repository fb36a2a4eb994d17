import { resourceAdmission } from '@kerf/apis'
import { verdictLine } from '@kerf/provider-kit/testing'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { nodeClassVerdicts } from '../testing/node-class-verdicts.ts'
import { gceNodeClassResource } from './gce-node-class.ts'

/** The number of node classes, out of 500, that a normal run compares. */
const SOME = 100

test('random classes get the same verdicts as on a real API server with upstream’s CRD', () => {
  const verdicts = sampled(nodeClassVerdicts(), SOME, 'verdicts of GCENodeClasses')
  const own = verdicts.map(({ spec }) => {
    const admission = resourceAdmission(gceNodeClassResource).create({
      apiVersion: 'karpenter.k8s.gcp/v1alpha1',
      kind: 'GCENodeClass',
      metadata: { name: 'verdict' },
      spec,
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
