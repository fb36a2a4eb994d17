import { type Condition, hashText, type KubeObject } from '@kerf/apis'
import {
  ageColumn,
  type CustomResource,
  conditions,
  listField,
  object,
  optional,
  readyColumn,
  type Shape,
  text,
} from '@kerf/apis/schema'
import type { NodeClassHash } from '@kerf/provider-contract'

const spec = object(
  {
    image: text({ description: 'The image that servers boot. A change of it replaces them.', minLength: 1 }),
    zones: optional(
      listField(text({ description: 'A zone of the cloud.' }), {
        description: 'The zones that servers may be in. Absent: every zone.',
        listType: 'set',
      }),
    ),
  },
  { description: 'What servers are made from.' },
)

/**
 * Kerf uses a node class only if the class's Ready condition is True. If a class refers to resources that must be looked up, a controller
 * has to set the condition.
 */
const status = object(
  { conditions: optional(conditions()) },
  {
    description: 'Ready from the start: there is nothing to find out about a class.',
    default: {
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  },
)

/** The node class of the example cloud. */
export interface ExampleNodeClass extends KubeObject {
  readonly spec: Shape<typeof spec>
  readonly status?: { readonly conditions?: readonly Condition[] }
}

export const exampleNodeClass: CustomResource<ExampleNodeClass> = {
  kind: {
    group: 'example.kerf.sh',
    version: 'v1',
    kind: 'ExampleNodeClass',
    plural: 'examplenodeclasses',
    namespaced: false,
  },
  singular: 'examplenodeclass',
  shortNames: [],
  categories: ['karpenter'],
  description: 'An ExampleNodeClass says what servers of the example cloud are made from.',
  printerColumns: [readyColumn, ageColumn],
  spec,
  specRequired: true,
  status,
}

/** Zones are not hashed. If a zone is removed from the node class, existing servers in that zone are kept. */
export const exampleHash: NodeClassHash<ExampleNodeClass> = {
  version: 'v1',
  of: (nodeClass) => hashText(nodeClass.spec.image).toString(),
}
