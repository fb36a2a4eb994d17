import { labels, type Milliseconds } from '@kerf/apis'
import { ApiError, sleep } from '@kerf/runtime'
import type { Interceptor } from '@kerf/sandbox'
import { nodeClassRef } from '@kerf/testing'
import { createPool, type Harness, type HarnessOptions } from './harness/index.ts'

/** An instance type with capacity for one pod that requests `ONE_PER_NODE` of CPU. */
const TYPE = 'c-4x-amd64-linux'
/** The CPU request of a pod that fills a node of the pool in `slowOwners`. */
export const ONE_PER_NODE = '3500m'

/** A cluster with Kerf whose controllers create pods slowly. */
export interface SlowOwners {
  readonly harness: Harness
  /** How many more pods the API server will admit. */
  admits: number
  /** How long it takes to create one pod. */
  delay: Milliseconds
}

/**
 * Starts a cluster with `PLAN_EXPECTED_PODS=on` whose controllers create twenty pods a second, which is the default of
 * kube-controller-manager. Kerf does not remove empty nodes of the pool `general`.
 */
export const slowOwners = async (
  start: (options?: HarnessOptions) => Promise<Harness>,
  options: HarnessOptions = {},
): Promise<SlowOwners> => {
  const pace: Interceptor = {}
  const harness = await start({ settings: { planExpectedPods: 'on' }, clusterInterceptor: pace, ...options })
  const owners = { harness, admits: Number.POSITIVE_INFINITY, delay: 50 }
  pace.before = async ({ verb, kind }) => {
    if (verb !== 'create' || kind?.kind !== 'Pod') return
    await sleep(harness.clock, owners.delay)
    if (owners.admits <= 0) throw new ApiError({ code: 403, reason: 'Forbidden', message: 'exceeded quota' })
    owners.admits--
  }
  await createPool(harness, 'general', {
    disruption: { consolidateAfter: 'Never' },
    template: {
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [{ key: labels.instanceType, operator: 'In', values: [TYPE] }],
      },
    },
  })
  return owners
}
