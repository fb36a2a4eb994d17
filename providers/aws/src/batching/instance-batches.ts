import type { Filter, Instance } from '@aws-sdk/client-ec2'
import { type Clock, type Metrics, mapLimit } from '@kerf/runtime'
import { type Ec2Api, filterOf, tagsOf } from '../api/aws-api.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'
import { type BatchAnswer, Batcher } from './batcher.ts'

/** Those that are there or on their way out; terminated ones stay listed for an hour and are none. */
export const LIVE_STATES: Filter = filterOf(
  'instance-state-name',
  'pending',
  'running',
  'stopping',
  'stopped',
  'shutting-down',
)

const WINDOW = { idle: 100, max: 1_000, items: 500 } as const
const AT_ONCE = 10

/** A code of EC2 that says that the instance is not there; of an id that it calls malformed there can be none. */
const isUnknown = (error: unknown): boolean => {
  const failure = awsFailureOf(error)
  return failure.class === 'not-found' || failure.code === 'InvalidInstanceID.Malformed'
}

const found = <T>(value: T): BatchAnswer<T> => ({ ok: true, value })

/** Descriptions of instances by id, many to a call. The answer is `undefined` for one that is not there. */
export const describeBatches = (
  ec2: Ec2Api,
  parts: { readonly clock: Clock; readonly metrics: Metrics },
): Batcher<string, Instance | undefined> => {
  const one = async (id: string, signal: AbortSignal): Promise<BatchAnswer<Instance | undefined>> => {
    try {
      const [instance] = await ec2.describeInstances({ ids: [id], filters: [LIVE_STATES] }, signal)
      return found(instance)
    } catch (error) {
      return isUnknown(error) ? found(undefined) : { ok: false, error }
    }
  }
  return new Batcher({
    ...parts,
    ...WINDOW,
    name: 'describe_instances',
    bucketOf: () => '',
    send: async (ids, signal) => {
      const distinct = [...new Set(ids)]
      const [only] = distinct
      if (distinct.length === 1 && only !== undefined) {
        const answer = await one(only, signal)
        return ids.map(() => answer)
      }
      const byId = new Map<string, BatchAnswer<Instance | undefined>>()
      try {
        for (const instance of await ec2.describeInstances({ ids: distinct, filters: [LIVE_STATES] }, signal)) {
          if (instance.InstanceId !== undefined) byId.set(instance.InstanceId, found(instance))
        }
      } catch (error) {
        // One unknown id fails the call for all of them; each is then asked for by itself.
        if (!isUnknown(error)) throw error
      }
      const missing = distinct.filter((id) => !byId.has(id))
      const answers = await mapLimit(missing, AT_ONCE, one, signal)
      for (const [index, id] of missing.entries()) byId.set(id, answers[index] ?? found(undefined))
      return ids.map((id) => byId.get(id) ?? found(undefined))
    },
  })
}

/** How many values EC2 takes in one filter (Amazon EC2 User Guide, "Filter your Amazon EC2 resources"). */
const MOST_VALUES = 200

/** What a value of a filter stands for: `*` is any text, `?` any character. */
const patternOf = (value: string): RegExp =>
  new RegExp(
    `^${value
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  )

/** Look-ups of live instances by the value of a tag, many to a call. Each is answered with those that match its value. */
export const taggedBatches = (
  ec2: Ec2Api,
  parts: { readonly clock: Clock; readonly metrics: Metrics },
  own: readonly Filter[],
): Batcher<{ readonly tag: string; readonly value: string }, readonly Instance[]> =>
  new Batcher<{ readonly tag: string; readonly value: string }, readonly Instance[]>({
    ...parts,
    ...WINDOW,
    items: MOST_VALUES,
    name: 'describe_tagged_instances',
    bucketOf: ({ tag }) => tag,
    send: async (wishes, signal) => {
      const tag = wishes[0]?.tag ?? ''
      const values = [...new Set(wishes.map(({ value }) => value))]
      const filters = [...own, filterOf(`tag:${tag}`, ...values), LIVE_STATES]
      const instances = await ec2.describeInstances({ filters }, signal)
      return wishes.map(({ value }) => {
        const pattern = patternOf(value)
        return found(instances.filter(({ Tags }) => pattern.test(tagsOf(Tags)[tag] ?? '')))
      })
    },
  })

const ENDING: ReadonlySet<string | undefined> = new Set(['shutting-down', 'terminated'])

/** Orders to end instances, many to a call. The answer is `false` for one that is not there. */
export const terminateBatches = (
  ec2: Ec2Api,
  parts: { readonly clock: Clock; readonly metrics: Metrics },
): Batcher<string, boolean> => {
  const one = async (id: string, signal: AbortSignal): Promise<BatchAnswer<boolean>> => {
    try {
      const changes = await ec2.terminateInstances([id], signal)
      if (changes.some((change) => change.InstanceId === id && ENDING.has(change.CurrentState?.Name)))
        return found(true)
      return { ok: false, error: new Error(`EC2 did not say that instance ${id} is ending`) }
    } catch (error) {
      return isUnknown(error) ? found(false) : { ok: false, error }
    }
  }
  return new Batcher({
    ...parts,
    ...WINDOW,
    name: 'terminate_instances',
    bucketOf: () => '',
    send: async (ids, signal) => {
      const distinct = [...new Set(ids)]
      const ended = new Set<string>()
      const [only] = distinct
      if (distinct.length === 1 && only !== undefined) {
        const answer = await one(only, signal)
        return ids.map(() => answer)
      }
      try {
        for (const { InstanceId, CurrentState } of await ec2.terminateInstances(distinct, signal)) {
          if (InstanceId !== undefined && ENDING.has(CurrentState?.Name)) ended.add(InstanceId)
        }
      } catch (error) {
        if (!isUnknown(error)) throw error
      }
      const rest = distinct.filter((id) => !ended.has(id))
      const answers = new Map(rest.map((id, index) => [id, index] as const))
      const single = await mapLimit(rest, AT_ONCE, one, signal)
      return ids.map((id) => {
        const index = answers.get(id)
        return index === undefined ? found(true) : (single[index] ?? found(false))
      })
    },
  })
}
