import {
  DURATION,
  enumField,
  KEY,
  listField,
  mapField,
  NILLABLE_DURATION,
  object,
  optional,
  quantity,
  type Rule,
  text,
  whole,
} from '../schema/field.ts'

/** This file defines the fields that both the template of a NodePool and the spec of a NodeClaim have. */

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'] as const

const taint = object(
  {
    key: text({ description: 'The key of the taint.', minLength: 1, pattern: KEY }),
    value: optional(
      text({ description: 'The value of the taint. Optional; an empty string is rejected.', pattern: KEY }),
    ),
    effect: enumField(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
      description:
        'The effect on pods that do not tolerate the taint: NoSchedule rejects new pods, PreferNoSchedule avoids new pods if possible, NoExecute also evicts running pods.',
    }),
    timeAdded: optional(
      text({ description: 'When the taint was added. Only set for NoExecute.', format: 'date-time' }),
    ),
  },
  { description: 'A taint repels pods that do not tolerate it.' },
)

export const taints = () =>
  optional(
    listField(taint, {
      description: 'Permanent taints of every node. Pods need matching tolerations to run on the nodes.',
      listType: 'atomic',
    }),
  )

export const startupTaints = () =>
  optional(
    listField(taint, {
      description:
        'Taints of a starting node that another component, such as a network or storage agent, removes when it is ready. Pods do not need tolerations for them, but the node is initialized only after they are removed.',
      listType: 'atomic',
    }),
  )

/** Of the keys in Karpenter's own domain, only those that users may set are allowed (`docs/spec/resources.md#nodepool`, K1). */
export const ownDomainRule: Rule = {
  rule: "self in ['karpenter.sh/capacity-type', 'karpenter.sh/nodepool'] || !self.find('^[^/]*').endsWith('karpenter.sh')",
  message: 'the domain "karpenter.sh" is reserved; of its labels only "karpenter.sh/capacity-type" may be used here',
}
export const noNodePoolRule: Rule = {
  rule: "self != 'karpenter.sh/nodepool'",
  message: 'the label "karpenter.sh/nodepool" is set by the controller and may not be used here',
}
export const noHostnameRule: Rule = {
  rule: "self != 'kubernetes.io/hostname'",
  message: 'the label "kubernetes.io/hostname" differs on every node and may not be used here',
}

/** The rules R1 to R3 for a list of requirements. A missing list of `values` is treated as an empty list. */
export const inNeedsValues: Rule = {
  rule: "self.all(r, r.operator != 'In' || (has(r.values) && r.values.size() > 0))",
  message: 'a requirement with operator "In" must have at least one value',
}
export const boundNeedsNumber: Rule = {
  rule: "self.all(r, !(r.operator in ['Gt', 'Lt', 'Gte', 'Lte']) || (has(r.values) && r.values.size() == 1 && int(r.values[0]) >= 0))",
  message: 'a requirement with operator "Gt", "Lt", "Gte" or "Lte" must have exactly one value, a non-negative integer',
}
const minValuesNeedsValues: Rule = {
  rule: "self.all(r, r.operator != 'In' || !has(r.minValues) || (has(r.values) && r.values.size() >= r.minValues))",
  message: 'a requirement with operator "In" and "minValues" must have at least that many values',
}

export const requirementKey = (rules: readonly Rule[]) =>
  text({ description: 'The label key.', maxLength: 316, pattern: KEY, rules })

export const requirementOperator = () =>
  enumField(operators, {
    description:
      'How to compare the label with the values. In and NotIn take a list, Exists and DoesNotExist no values, and Gt, Lt, Gte and Lte one integer.',
  })

export const requirementValues = () =>
  optional(
    listField(text({ description: 'A label value.' }), {
      description: 'The values to compare with. The operator determines how many there must be.',
      listType: 'atomic',
    }),
  )

const requirement = (keyRules: readonly Rule[]) =>
  object(
    {
      key: requirementKey(keyRules),
      operator: requirementOperator(),
      values: requirementValues(),
      minValues: optional(
        whole({
          description:
            'The minimum number of different values of this label among the instance types of a launch, so that the cloud has a choice. Alpha. Absent: no minimum.',
          minimum: 1,
          maximum: 50,
        }),
      ),
    },
    { description: 'A requirement on the labels of a node.' },
  )

export const requirements = (keyRules: readonly Rule[]) =>
  listField(requirement(keyRules), {
    description:
      'Requirements on the labels of a node, all of which must be met. They restrict instance type, zone, architecture, capacity type and custom labels. May be empty, but not absent.',
    listType: 'atomic',
    maxItems: 100,
    rules: [inNeedsValues, boundNeedsNumber, minValuesNeedsValues],
  })

const notEmpty = (field: string): Rule => ({ rule: "self != ''", message: `${field} may not be empty` })

export const nodeClassRef = (rules: readonly Rule[] = []) =>
  object(
    {
      group: text({
        description: 'API group of the node class, without a version.',
        pattern: '^[^/]*$',
        rules: [notEmpty('group')],
      }),
      kind: text({
        description: 'Kind of the node class, one that the provider defines.',
        rules: [notEmpty('kind')],
      }),
      name: text({ description: 'Name of the node class.', rules: [notEmpty('name')] }),
    },
    {
      description:
        'The node class with the cloud-specific configuration of nodes. Its kind must be one that the running provider serves.',
      ...(rules.length > 0 ? { rules } : {}),
    },
  )

export const terminationGracePeriod = () =>
  optional(
    text({
      description:
        'The maximum duration of a drain, counted from the deletion of the NodeClaim, in hours, minutes and seconds (1h30m). Pods that remain are deleted regardless of PodDisruptionBudgets, do-not-disrupt annotations and grace periods, early enough to stop in time. Absent: no limit.',
      pattern: DURATION,
    }),
  )

export const expireAfter = () =>
  optional(
    text({
      description:
        'The age at which a node is deleted, in hours, minutes and seconds, or Never. The deletion does not wait for a replacement.',
      pattern: NILLABLE_DURATION,
      default: '720h',
    }),
  )

export const resourceAmounts = (description: string, rules?: readonly Rule[]) =>
  optional(mapField(quantity(), { description, ...(rules === undefined ? {} : { rules }) }))
