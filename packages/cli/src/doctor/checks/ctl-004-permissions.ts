import type { Deployment, KubeObject } from '@kerf/apis'
import { controllerPermissions } from '@kerf/controllers'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { OWN_NAMESPACE, type Permission } from '@kerf/runtime'
import type { Audit } from '../audit.ts'
import type { Check } from '../check.ts'

interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs?: readonly string[]
}

type Role = KubeObject & { readonly rules?: readonly Rule[] | null }
type Binding = KubeObject & {
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[]
  readonly roleRef: { readonly kind: string; readonly name: string }
}

const isKerf = ({ spec }: Deployment): boolean =>
  spec.template.spec.containers.some(({ image = '' }) => /kerf/.test(image))

/** Returns the rules that bindings grant to the service account. Each rule applies to all namespaces or to one. */
const grantedRules = (
  { objects }: Audit,
  namespace: string,
  name: string,
): readonly (Rule & { readonly namespace: string | undefined })[] =>
  [...objects.named('ClusterRoleBinding'), ...objects.named('RoleBinding')].flatMap((object) => {
    const { subjects = [], roleRef, metadata, kind } = object as Binding
    const isFor = subjects.some((subject) =>
      subject.kind === 'ServiceAccount'
        ? subject.name === name && subject.namespace === namespace
        : subject.kind === 'Group' &&
          [`system:serviceaccounts:${namespace}`, 'system:serviceaccounts', 'system:authenticated'].includes(
            subject.name,
          ),
    )
    if (!isFor) return []
    const role = objects
      .named(roleRef.kind)
      .find(
        (each) =>
          each.metadata.name === roleRef.name &&
          (roleRef.kind === 'ClusterRole' || each.metadata.namespace === metadata.namespace),
      ) as Role | undefined
    return (role?.rules ?? []).map((rule) => ({
      ...rule,
      namespace: kind === 'RoleBinding' ? metadata.namespace : undefined,
    }))
  })

const has = (list: readonly string[] | undefined, wanted: string): boolean =>
  (list ?? []).some((each) => each === '*' || each === wanted)

/** Returns those verbs of the permission that no rule allows. */
const missingVerbs = (
  { kind, subresource, verbs, namespace, names }: Permission,
  rules: ReturnType<typeof grantedRules>,
  own: string,
): readonly string[] => {
  const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`
  const place = namespace === OWN_NAMESPACE ? own : namespace
  return verbs.filter(
    (verb) =>
      !rules.some(
        (rule) =>
          (rule.namespace === undefined || rule.namespace === place) &&
          has(rule.verbs, verb) &&
          has(rule.apiGroups, kind.group) &&
          has(rule.resources, resource) &&
          ((rule.resourceNames ?? []).length === 0 ||
            ((names ?? []).every((each) => rule.resourceNames?.includes(each) === true) && names !== undefined)),
      ),
  )
}

export const ctl004: Check = {
  id: 'CTL-004',
  group: 'controller',
  severity: 'critical',
  title: 'Permissions that the controller lacks',
  why: 'A role of an older release, or a reduced role, may lack permissions that this release needs: nodes are launched but never registered, or nothing happens. The check compares the rules of the roles with the permissions that Kerf needs with any settings.',
  reads: ['Deployment', 'ClusterRole', 'ClusterRoleBinding'],
  examine(audit) {
    const problems = audit.controllers.filter(isKerf).flatMap((deployment) => {
      const { namespace = 'default' } = deployment.metadata
      const account = deployment.spec.template.spec.serviceAccountName ?? 'default'
      const rules = grantedRules(audit, namespace, account)
      // If the files contain no Role, do not report the permissions that only a Role would grant.
      const needed = controllerPermissions([]).filter(
        (each) => each.when === undefined && (each.namespace === undefined || audit.objects.named('Role').length > 0),
      )
      const lacks = needed.flatMap((each) => {
        const verbs = missingVerbs(each, rules, namespace)
        return verbs.length === 0
          ? []
          : [`${verbs.join(', ')} ${each.kind.plural}${each.subresource === undefined ? '' : `/${each.subresource}`}`]
      })
      return lacks.length === 0 ? [] : [{ object: objectName(deployment), lacks }]
    })
    return foundAny(
      problems.map(({ object }) => object),
      {
        seen: problems
          .map(
            ({ object, lacks }) =>
              `the service account of ${object} cannot ${lacks.slice(0, 5).join('; ')}${lacks.length > 5 ? ` and ${lacks.length - 5} more` : ''}`,
          )
          .join('; '),
        remedy: 'run helm upgrade with the chart of the running release; docs/reference/permissions.md lists the roles',
      },
      'the roles of the service account allow what the controller needs',
    )
  },
}
