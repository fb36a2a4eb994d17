import type { Filter, Instance } from '@aws-sdk/client-ec2'
import { ownValue } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import { Batcher, failureConcern, idBatches } from '@kerf/provider-kit'
import type { Clock, Metrics } from '@kerf/runtime'
import { type Ec2Api, ec2Filter, tagMap } from '../api/aws-api.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'

/** The states of instances that exist or are terminating. EC2 lists terminated instances for another hour. */
export const LIVE_STATES: Filter = ec2Filter(
  'instance-state-name',
  'pending',
  'running',
  'stopping',
  'stopped',
  'shutting-down',
)

/** Matches every state. Calls use this filter because a call with a filter counts against the larger of EC2's token buckets. */
const ANY_STATE: Filter = ec2Filter('instance-state-name', ...(LIVE_STATES.Values ?? []), 'terminated')

const WINDOW = { idle: 100, max: 1_000, items: 500 } as const

/** Returns true if the error means that the instance does not exist. EC2 rejects malformed IDs, and no instance has such an ID. */
const isUnknown = (error: unknown): boolean => {
  const failure = classifyAwsFailure(error)
  return failure.class === 'not-found' || failure.code === 'InvalidInstanceID.Malformed'
}

/**
 * Recognizes errors for which EC2 refuses a whole call because one of its instances is protected, unknown or not permitted (API reference,
 * TerminateInstances and DescribeInstances).
 */
const refusals = {
  isUnknown,
  concernOf: (error: unknown) => failureConcern(classifyAwsFailure(error).class),
}

/**
 * Returns a batcher that describes instances by id, in any state. The result is `undefined` for an instance that EC2 does not find, because
 * the instance is gone or not visible yet.
 */
export const describeBatches = (
  ec2: Ec2Api,
  deps: { readonly clock: Clock; readonly metrics: Metrics },
): Batcher<string, Instance | undefined> => {
  const describe = async (
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Instance | undefined>> => {
    const instances = await ec2.describeInstances({ ids, filters: [ANY_STATE] }, signal)
    return new Map(
      instances.flatMap((instance) => (instance.InstanceId === undefined ? [] : [[instance.InstanceId, instance]])),
    )
  }
  return idBatches({
    ...deps,
    ...WINDOW,
    ...refusals,
    name: 'describe_instances',
    call: describe,
    silent: () => ({ ok: true, value: undefined }),
    unknown: undefined,
  })
}

/** The number of values that EC2 accepts in one filter (Amazon EC2 User Guide, "Filter your Amazon EC2 resources"). */
const MOST_VALUES = 200

/** Returns a regular expression for a filter value, in which `*` matches any text and `?` any character. */
const parsePattern = (value: string): RegExp =>
  new RegExp(
    `^${value
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  )

/** A search for instances by a tag. It matches two values of the tag: one that only this search uses, and one that many searches share. */
export interface TagQuestion {
  readonly tag: string
  readonly value: string
  readonly shared: string
}

/** Returns a batcher that finds live instances by the value of a tag. Each search gets the instances that match its values. */
export const taggedBatches = (
  ec2: Ec2Api,
  deps: { readonly clock: Clock; readonly metrics: Metrics },
  own: readonly Filter[],
): Batcher<TagQuestion, readonly Instance[]> =>
  new Batcher<TagQuestion, readonly Instance[]>({
    ...deps,
    ...WINDOW,
    items: MOST_VALUES - 1,
    name: 'describe_tagged_instances',
    bucketOf: ({ tag, shared }) => JSON.stringify([tag, shared]),
    send: async (questions, signal) => {
      const tag = questions[0]?.tag ?? ''
      const values = [...new Set(questions.flatMap(({ value, shared }) => [shared, value]))]
      const filters = [...own, ec2Filter(`tag:${tag}`, ...values), LIVE_STATES]
      const instances = await ec2.describeInstances({ filters }, signal)
      const tagged = instances.map((instance) => ({ instance, text: ownValue(tagMap(instance.Tags), tag) ?? '' }))
      const matching = new Map(
        values.map((value) => {
          const pattern = parsePattern(value)
          return [value, tagged.flatMap(({ instance, text }) => (pattern.test(text) ? [instance] : []))]
        }),
      )
      return questions.map(({ value, shared }) => ({
        ok: true,
        value: [...new Set([...(matching.get(value) ?? []), ...(matching.get(shared) ?? [])])],
      }))
    },
  })

const ENDING: ReadonlySet<string | undefined> = new Set(['shutting-down', 'terminated'])

/** Returns a batcher that terminates instances. The result is `false` for an instance that EC2 does not find. */
export const terminateBatches = (
  ec2: Ec2Api,
  deps: { readonly clock: Clock; readonly metrics: Metrics },
): Batcher<string, boolean> => {
  const terminate = async (ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, boolean>> => {
    const changes = await ec2.terminateInstances(ids, signal)
    const ended = changes.filter(({ CurrentState }) => ENDING.has(CurrentState?.Name))
    return new Map(ended.flatMap(({ InstanceId }) => (InstanceId === undefined ? [] : [[InstanceId, true] as const])))
  }
  return idBatches({
    ...deps,
    ...WINDOW,
    ...refusals,
    name: 'terminate_instances',
    call: terminate,
    silent: (id) => ({
      ok: false,
      error: providerErrors.IncompleteAnswer({ problem: `EC2 did not confirm the termination of instance ${id}` }),
    }),
    unknown: false,
  })
}
