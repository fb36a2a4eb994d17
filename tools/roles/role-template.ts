import type { PermissionCondition, PermissionOption } from '@kerf/runtime'
import type { PolicyRule } from './policy-rules.ts'

/** The namespace of a role, and its name after the full name of the release. */
export interface RoleTemplate {
  /** For example `-core`; empty for the full name itself. */
  readonly suffix: string
  /** The namespace of a Role as a template; absent for a ClusterRole. */
  readonly namespace?: string
  readonly rules: readonly PolicyRule[]
  /** Template text after the rules. */
  readonly more?: string
}

const switchIs = (env: string, byDefault: string): string =>
  `(include "karpenter.isOn" (list $ "${env}" "${byDefault}"))`

/** The condition for observe mode, in which the role grants only reads and the writes of observe mode itself. */
const OBSERVES = switchIs('OBSERVE', 'false')

/** The template condition of each option. */
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

/** Returns the rules; those of an option are inside its condition. */
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

/** Returns the condition under which the role has any rule; undefined if it always has one. */
const onlyWhen = (rules: readonly PolicyRule[]): string | undefined => {
  const options = rules.map(({ when }) => when)
  if (options.length === 0 || options.includes(undefined)) return undefined
  const needed = [...new Set(options)].flatMap((when) => (when === undefined ? [] : [conditionOf(when)]))
  return `or ${needed.join(' ')} false`
}

/** Returns the role and its binding to the service account of the controller. */
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
