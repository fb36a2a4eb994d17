import type { Condition, KubeObject } from '@kerf/apis'
import {
  ageColumn,
  type CustomResource,
  conditions,
  object,
  optional,
  readyColumn,
  type Shape,
  text,
} from '@kerf/apis/schema'

const spec = object(
  { image: text({ description: 'The image that instances boot.', minLength: 1 }) },
  { description: 'What instances are made from.' },
)

/** A pool uses only a class with this condition. If something must be looked up for a class, a controller sets it. */
const status = object(
  { conditions: optional(conditions()) },
  {
    description: 'Ready from the start.',
    default: {
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  },
)

export interface SkeletonNodeClass extends KubeObject {
  readonly spec: Shape<typeof spec>
  readonly status?: { readonly conditions?: readonly Condition[] }
}

export const skeletonNodeClass: CustomResource<SkeletonNodeClass> = {
  kind: {
    group: 'skeleton.kerf.sh',
    version: 'v1',
    kind: 'SkeletonNodeClass',
    plural: 'skeletonnodeclasses',
    namespaced: false,
  },
  singular: 'skeletonnodeclass',
  shortNames: [],
  categories: ['karpenter'],
  description: 'A SkeletonNodeClass says what instances are made from.',
  printerColumns: [readyColumn, ageColumn],
  spec,
  specRequired: true,
  status,
}
