import {
  DURATION,
  KEY,
  listOf,
  mapOf,
  NILLABLE_DURATION,
  object,
  oneOf,
  optional,
  quantity,
  type Rule,
  text,
  whole,
} from '../schema/field.ts'

/** Fields that NodePool's template and NodeClaim's spec share. */

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'] as const

const taint = object(
  {
    key: text({ description: 'The key of the taint, as a pod tolerates it.', minLength: 1, pattern: KEY }),
    value: optional(
      text({ description: 'The value of the taint. Leave it out for none; an empty text is refused.', pattern: KEY }),
    ),
    effect: oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
      description:
        'What happens to pods that do not tolerate the taint: NoSchedule keeps new ones away, PreferNoSchedule keeps them away while there is other room, NoExecute also evicts those that run.',
    }),
    timeAdded: optional(
      text({ description: 'When the taint was put on. Only written for NoExecute.', format: 'date-time' }),
    ),
  },
  { description: 'A taint: it keeps away pods that do not tolerate it.' },
)

export const taints = () =>
  optional(
    listOf(taint, {
      description:
        'Taints that every node carries for as long as it lives. Pods need matching tolerations to be placed here.',
      listType: 'atomic',
    }),
  )

export const startupTaints = () =>
  optional(
    listOf(taint, {
      description:
        'Taints that a node starts with and that something else (a network or storage agent) takes off when it is ready. Pods need no toleration for them to be planned here, but the node counts as initialised only once they are gone.',
      listType: 'atomic',
    }),
  )

/** The key may use Karpenter's domain only for keys that users may set (`docs/spec/resources.md#nodepool`, K1). */
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

/** Rules R1 to R3 for a list of requirements. An item without `values` counts as having none. */
export const inNeedsValues: Rule = {
  rule: "self.all(r, r.operator != 'In' || (has(r.values) && r.values.size() > 0))",
  message: 'a requirement with operator "In" must have at least one value',
}
export const boundNeedsNumber: Rule = {
  rule: "self.all(r, !(r.operator in ['Gt', 'Lt', 'Gte', 'Lte']) || (has(r.values) && r.values.size() == 1 && int(r.values[0]) >= 0))",
  message:
    'a requirement with operator "Gt", "Lt", "Gte" or "Lte" must have exactly one value, a whole number that is not negative',
}
const minValuesNeedsValues: Rule = {
  rule: "self.all(r, r.operator != 'In' || !has(r.minValues) || (has(r.values) && r.values.size() >= r.minValues))",
  message: 'a requirement with operator "In" and "minValues" must have at least that many values',
}

export const requirementKey = (rules: readonly Rule[]) =>
  text({ description: 'The label that is looked at.', maxLength: 316, pattern: KEY, rules })

export const requirementOperator = () =>
  oneOf(operators, {
    description:
      'How the label is compared with the values. In and NotIn take a list, Exists and DoesNotExist none, Gt, Lt, Gte and Lte one whole number.',
  })

export const requirementValues = () =>
  optional(
    listOf(text({ description: 'A label value.' }), {
      description: 'What the label is compared with. How many values there must be depends on the operator.',
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
            'How many different values of this label must stay possible among the instance types of a launch, so that the cloud has a choice. Alpha. Absent: no lower bound.',
          minimum: 1,
          maximum: 50,
        }),
      ),
    },
    { description: 'A condition on the labels of a node.' },
  )

export const requirements = (keyRules: readonly Rule[]) =>
  listOf(requirement(keyRules), {
    description:
      'What a node must be like: conditions on its labels, all of which hold. Instance type, zone, architecture, capacity type and labels of your own are chosen within them. May be empty, not absent.',
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
        'The node class: the cloud-specific half of the description of a node. It must be of a kind the running provider serves.',
      ...(rules.length > 0 ? { rules } : {}),
    },
  )

export const terminationGracePeriod = () =>
  optional(
    text({
      description:
        'The longest a node may take to drain, counted from the deletion of its NodeClaim, in hours, minutes and seconds (1h30m). When it is over, pods are deleted whatever their disruption budgets, do-not-disrupt annotations and grace periods say; they are deleted early enough to end in time. Absent: drain as long as it takes.',
      pattern: DURATION,
    }),
  )

export const expireAfter = () =>
  optional(
    text({
      description:
        'The age at which a node is replaced, in hours, minutes and seconds, or Never. Deletion does not wait for a replacement.',
      pattern: NILLABLE_DURATION,
      default: '720h',
    }),
  )

export const resourceAmounts = (description: string, rules?: readonly Rule[]) =>
  optional(mapOf(quantity(), { description, ...(rules === undefined ? {} : { rules }) }))
