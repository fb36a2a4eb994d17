import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource, readyColumn } from '../schema/custom-resource.ts'
import { listOf, object, optional, type Shape, text, whole } from '../schema/field.ts'
import { conditions } from './condition-fields.ts'
import {
  boundNeedsNumber,
  inNeedsValues,
  noHostnameRule,
  ownDomainRule,
  requirementKey,
  requirementOperator,
  requirementValues,
  resourceAmounts,
} from './template-fields.ts'

const requirement = object(
  {
    key: requirementKey([ownDomainRule, noHostnameRule]),
    operator: requirementOperator(),
    values: requirementValues(),
  },
  { description: 'A condition on the labels of an instance type.' },
)

const nodeOverlaySpec = object(
  {
    requirements: listOf(requirement, {
      description:
        'Which instance types are changed: those whose labels meet all conditions. karpenter.sh/nodepool and the labels of the pool may be used too. May be empty, not absent.',
      listType: 'atomic',
      maxItems: 100,
      rules: [
        {
          rule: "self.all(r, r.operator != 'NotIn' || (has(r.values) && r.values.size() > 0))",
          message: 'a requirement with operator "NotIn" must have at least one value',
        },
        inNeedsValues,
        boundNeedsNumber,
      ],
    }),
    price: optional(
      text({
        description:
          'The price an hour in US dollars that takes the place of the known one. Not together with priceAdjustment.',
        pattern: '^\\d+(\\.\\d+)?$',
      }),
    ),
    priceAdjustment: optional(
      text({
        description:
          'What is added to the known price, with its sign: an amount in US dollars an hour (+0.5, -0.02) or a percentage of the price (+10%, -25%). The result does not fall below zero. Not together with price.',
        pattern: '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$',
      }),
    ),
    capacity: resourceAmounts(
      'Resources that the instance types have besides those the provider knows, like the units a device plugin announces.',
      [
        {
          rule: "self.all(name, !(name in ['cpu', 'memory', 'ephemeral-storage', 'pods']))",
          message: '"cpu", "memory", "ephemeral-storage" and "pods" are known from the provider and may not be given',
        },
      ],
    ),
    weight: optional(
      whole({
        description:
          'Rank among overlays that change the same thing: the highest counts. Two of equal weight are a conflict, and one of them is not applied. Absent: 0.',
        format: 'int32',
        minimum: 1,
        maximum: 10000,
      }),
    ),
  },
  {
    description: 'Which instance types are changed, and how.',
    rules: [
      {
        rule: '!(has(self.price) && has(self.priceAdjustment))',
        message: '"price" and "priceAdjustment" may not be given together',
      },
    ],
  },
)

const nodeOverlayStatus = object(
  { conditions: optional(conditions()) },
  { description: 'Whether the overlay is applied.' },
)

export interface NodeOverlaySpec extends Shape<typeof nodeOverlaySpec> {}
export interface NodeOverlayStatus extends Shape<typeof nodeOverlayStatus> {}

/** A change to the known properties of instance types (`docs/spec/resources.md#nodeoverlay`). */
export interface NodeOverlay extends KubeObject {
  readonly spec: NodeOverlaySpec
  readonly status?: NodeOverlayStatus
}

export const nodeOverlayResource: CustomResource<NodeOverlay> = {
  kind: { group: 'karpenter.sh', version: 'v1alpha1', kind: 'NodeOverlay', plural: 'nodeoverlays', namespaced: false },
  singular: 'nodeoverlay',
  shortNames: ['overlays'],
  categories: ['karpenter'],
  description:
    'A NodeOverlay corrects the price of instance types (a discount, a license) and their extended resources, before Kerf makes decisions. Alpha; needs the feature gate NodeOverlay.',
  printerColumns: [readyColumn, ageColumn, { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 }],
  spec: nodeOverlaySpec,
  specRequired: true,
  status: nodeOverlayStatus,
}
