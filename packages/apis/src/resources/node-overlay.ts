import type { KubeObject } from '../kubernetes/object.ts'
import { ageColumn, type CustomResource, readyColumn } from '../schema/custom-resource.ts'
import { listField, object, optional, type Shape, text, whole } from '../schema/field.ts'
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
    requirements: listField(requirement, {
      description:
        'Selects the instance types to change: those whose labels meet all requirements. You can also use karpenter.sh/nodepool and the labels of the NodePool. May be empty, but not absent.',
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
          'The price an hour in US dollars that replaces the known price. Not together with priceAdjustment.',
        pattern: '^\\d+(\\.\\d+)?$',
      }),
    ),
    priceAdjustment: optional(
      text({
        description:
          'A signed change of the known price: an amount in US dollars an hour (+0.5, -0.02) or a percentage (+10%, -25%). The result is at least zero. Not together with price.',
        pattern: '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$',
      }),
    ),
    capacity: resourceAmounts(
      'Additional resources of the instance types that the provider does not report, for example those of a device plugin.',
      [
        {
          rule: "self.all(name, !(name in ['cpu', 'memory', 'ephemeral-storage', 'pods']))",
          message: '"cpu", "memory", "ephemeral-storage" and "pods" are reported by the provider and may not be set',
        },
      ],
    ),
    weight: optional(
      whole({
        description:
          'Priority among overlays that change the same value: the highest weight applies. Two overlays of equal weight are in conflict, and one of them is not applied. Default: 0.',
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
