import type { KubeObject } from '@kerf/apis'
import {
  ageColumn,
  type CustomResource,
  conditions,
  DURATION,
  object,
  optional,
  readyColumn,
  type Shape,
  text,
} from '@kerf/apis/schema'

const kwokNodeClassSpec = object(
  {
    nodeRegistrationDelay: optional(
      text({
        description:
          'Delay between the launch of a simulated node and its appearance in the cluster, in hours, minutes and seconds. Absent: no delay.',
        pattern: DURATION,
      }),
    ),
  },
  { description: 'How the simulated nodes behave.' },
)

const kwokNodeClassStatus = object(
  { conditions: optional(conditions()) },
  {
    description: 'Always Ready, because a simulated cloud has nothing to resolve.',
    default: {
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2024-01-01T01:01:01Z' },
      ],
    },
  },
)

export interface KWOKNodeClassSpec extends Shape<typeof kwokNodeClassSpec> {}
export interface KWOKNodeClassStatus extends Shape<typeof kwokNodeClassStatus> {}

/** The node class of simulated nodes (`providers/kwok/docs/spec/kwok.md#kwoknodeclass`). */
export interface KWOKNodeClass extends KubeObject {
  readonly spec?: KWOKNodeClassSpec
  readonly status?: KWOKNodeClassStatus
}

export const kwokNodeClassResource: CustomResource<KWOKNodeClass> = {
  kind: {
    group: 'karpenter.kwok.sh',
    version: 'v1alpha1',
    kind: 'KWOKNodeClass',
    plural: 'kwoknodeclasses',
    namespaced: false,
  },
  singular: 'kwoknodeclass',
  shortNames: ['kwoknc', 'kwokncs'],
  categories: ['karpenter'],
  description:
    'A KWOKNodeClass describes simulated nodes: they appear, become ready and accept pods, but nothing runs on them.',
  printerColumns: [readyColumn, ageColumn],
  spec: kwokNodeClassSpec,
  specRequired: false,
  status: kwokNodeClassStatus,
}

/** The resource kind of KWOKNodeClass. */
export const kwokNodeClassKind = kwokNodeClassResource.kind
