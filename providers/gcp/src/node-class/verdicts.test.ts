import { resourceAdmission } from '@kerf/apis'
import { verdictLine } from '@kerf/provider-kit/testing'
import { expect, test } from 'vitest'
import { nodeClassVerdicts } from '../testing/node-class-verdicts.ts'
import { gceNodeClassResource } from './gce-node-class.ts'

test('500 random classes get the same verdicts as with upstream’s CRD on a real API server', () => {
  const verdicts = nodeClassVerdicts()
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
  expect(accepted).toBeGreaterThan(100)
  expect(accepted).toBeLessThan(400)
})
