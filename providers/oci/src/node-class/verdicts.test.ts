import { type CustomResource, groupVersion, type KubeObject, resourceAdmission } from '@kerf/apis'
import { verdictLine } from '@kerf/provider-kit/testing'
import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { Upstream } from '../names.ts'
import { nodeClassVerdicts } from '../testing/node-class-verdicts.ts'
import { communityNodeClassResource } from './community-node-class.ts'
import { oracleNodeClassResource } from './oracle-node-class.ts'

/** The number of node classes, out of 500 of each kind, that a normal run compares. */
const SOME = 100

const verdictOf = <T extends KubeObject>(resource: CustomResource<T>, spec: unknown): string => {
  const { kind } = resource
  const admission = resourceAdmission(resource).create({
    ...{ apiVersion: groupVersion(kind), kind: kind.kind, metadata: { name: 'verdict' } },
    spec,
  })
  return admission.accepted
    ? verdictLine({ accepted: true, spec: (admission.object as { readonly spec?: unknown }).spec })
    : verdictLine({ accepted: false, fields: admission.errors.map(({ field }) => field) })
}

test.each<readonly [Upstream, (spec: unknown) => string]>([
  ['community', (spec) => verdictOf(communityNodeClassResource, spec)],
  ['oracle', (spec) => verdictOf(oracleNodeClassResource, spec)],
])('random classes of the %s kind get the same verdicts as with its CRD on a real API server', (upstream, verdict) => {
  const verdicts = sampled(nodeClassVerdicts(upstream), SOME, `verdicts of ${upstream}`)
  const own = verdicts.map(({ spec }) => verdict(spec))
  expect(own).toEqual(verdicts.map(({ line }) => line))
  const accepted = own.filter((line) => line.startsWith('accepted')).length
  expect(accepted).toBeGreaterThan(verdicts.length / 5)
  expect(accepted).toBeLessThan((4 * verdicts.length) / 5)
})
