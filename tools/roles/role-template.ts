import type { PermissionCondition, PermissionOption } from '@kerf/runtime'
import type { PolicyRule } from './policy-rules.ts'

/** A role to render. */
export interface RoleTemplate {
  /** The part of the role's name after the release's full name, for example `-core`. Empty if the full name is the role's name. */
  readonly suffix: string
  /** The namespace of a Role, as template text; absent for a ClusterRole. */
  readonly namespace?: string
  readonly rules: readonly PolicyRule[]
  /** Template text that follows the rules. */
  readonly more?: string
}

const switchIs = (env: string, byDefault: string): string =>
  `(include "karpenter.isOn" (list $ "${env}" "${byDefault}"))`

/** The template condition for observe mode. In observe mode, the role only grants reads and the writes that observe mode itself makes. */
const OBSERVES = switchIs('OBSERVE', 'false')

/** For each option, the template condition that enables it. */
const optionConditions: Readonly<Record<PermissionOption, string>> = {
  CapacityBuffer: '(include "karpenter.gateIsOn" (list $ "CapacityBuffer"))',
  NodeOverlay: '(include "karpenter.gateIsOn" (list $ "NodeOverlay"))',
  LegacyApis: switchIs('LEGACY_APIS', 'false'),
  Devices: `(not ${switchIs('IGNORE_DRA_REQUESTS', 'true')})`,
  ExpectedPods: '(eq (include "karpenter.envValue" (list $ "PLAN_EXPECTED_PODS")) "on")',
  DefaultSpread: '(include "karpenter.envValue" (list $ "SCHEDULER_CONFIG"))',
  LeaderElection: `(not ${switchIs('DISABLE_LEADER_ELECTION', 'false')})`,
  Observe: OBSERVES,
  ForeignNodes: '(eq (include "karpenter.envValue" (list $ "FOREIGN_NODES")) "ignore")',
  MetricsAuthorization: switchIs('METRICS_AUTHORIZATION', 'false'),
}

const conditionOf = (when: PermissionCondition): string =>
  typeof when === 'string' ? optionConditions[when] : switchIs(when.env, String(when.default))

const listed = (words: readonly string[]): string =>
  `[${words.map((word) => (word === '' || word.includes('{{') ? `"${word.replaceAll('"', "'")}"` : word)).join(', ')}]`

const ruleText = ({ apiGroup, resources, resourceNames, verbs }: PolicyRule): string =>
  [
    `  - apiGroups: ${listed([apiGroup])}`,
    `    resources: ${listed(resources)}`,
    ...(resourceNames === undefined
      ? []
      : resourceNames.map((name, index) => `${index === 0 ? '    resourceNames:\n' : ''}      - ${name}`)),
    `    verbs: ${listed(verbs)}`,
  ].join('\n')

/** Returns the text of the rules. Rules of an option are inside the option's condition. */
const rulesText = (rules: readonly PolicyRule[]): string =>
  [...Map.groupBy(rules, ({ when }) => when)]
    .map(([when, group]) => {
      const [reading, acting] = [group.filter(({ acts }) => !acts), group.filter(({ acts }) => acts)]
      const text = [
        ...reading.map(ruleText),
        ...(acting.length === 0 ? [] : [`  {{- if not ${OBSERVES} }}`, ...acting.map(ruleText), '  {{- end }}']),
      ].join('\n')
      return when === undefined ? text : `  {{- if ${conditionOf(when)} }}\n${text}\n  {{- end }}`
    })
    .join('\n')

/** Returns the condition under which the role has any rules. Returns undefined if it always has some. */
const onlyWhen = (rules: readonly PolicyRule[]): string | undefined => {
  const options = rules.map(({ when }) => when)
  if (options.length === 0 || options.includes(undefined)) return undefined
  const needed = [...new Set(options)].flatMap((when) => (when === undefined ? [] : [conditionOf(when)]))
  return `or ${needed.join(' ')} false`
}

/** Returns the role, and its binding to the controller's service account. */
export const roleText = ({ suffix, namespace, rules, more }: RoleTemplate): string => {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role'
  const name =
    suffix === '' ? '(include "karpenter.fullname" .)' : `(printf "%s${suffix}" (include "karpenter.fullname" .))`
  const place = namespace === undefined ? '' : ` "namespace" ${namespace}`
  const metadata = `metadata:\n  {{- include "karpenter.metadata" (dict "root" . "name" ${name}${place}) | nindent 2 }}`
  const condition = onlyWhen(rules)
  const [before, after] = condition === undefined ? ['', ''] : [`{{- if ${condition} }}\n`, '{{- end }}\n']
  const body = [rulesText(rules), ...(more === undefined ? [] : [more])].filter((part) => part !== '').join('\n')
  return `${before}apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
${metadata}
rules:
${body}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}Binding
${metadata}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${kind}
  name: {{ include "karpenter.fullname" . }}${suffix}
subjects:
  - kind: ServiceAccount
    name: {{ include "karpenter.serviceAccountName" . }}
    namespace: {{ .Release.Namespace }}
${after}`
}
