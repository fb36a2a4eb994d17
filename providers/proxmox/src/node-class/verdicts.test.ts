import { groupVersion, resourceAdmission } from '@kerf/apis'
import { verdictLine } from '@kerf/provider-kit/testing'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { proxmoxVerdicts } from '../testing/verdicts.ts'

/** The number of objects of each kind that a normal run compares. */
const SOME = 100

test.each(proxmoxVerdicts().map(({ resource, verdicts }) => ({ kind: resource.kind.kind, resource, verdicts })))(
  'random objects of the kind $kind get the same verdicts as with the CRD of Karpenter’s provider on a real API server',
  ({ resource, verdicts }) => {
    const { kind } = resource
    const some = sampled(verdicts, SOME, `verdicts of ${kind.plural}`)
    const own = some.map(({ spec }) => {
      const admission = resourceAdmission(resource).create({
        ...{ apiVersion: groupVersion(kind), kind: kind.kind, metadata: { name: 'verdict' } },
        spec,
      })
      return admission.accepted
        ? verdictLine({ accepted: true, spec: (admission.object as { readonly spec?: unknown }).spec })
        : verdictLine({ accepted: false, fields: admission.errors.map(({ field }) => field) })
    })
    expect(own).toEqual(some.map(({ line }) => line))
    const accepted = own.filter((line) => line.startsWith('accepted')).length
    expect(accepted).toBeGreaterThan(some.length / 5)
    expect(accepted).toBeLessThan((4 * some.length) / 5)
  },
)
