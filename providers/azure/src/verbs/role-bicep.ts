import { builtInRoles } from '../roles/built-in-roles.ts'
import type { RoleAssignment } from '../roles/role-assignments.ts'
import { rolePurpose } from './role-commands.ts'

const SCOPE = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)(?:\/providers\/([^/]+)\/(.+))?$/i

interface Place {
  readonly subscription: string
  readonly group: string
  /** The path below the resource group, as types and names. The first type includes the namespace. Empty for the group itself. */
  readonly path: readonly { readonly type: string; readonly name: string }[]
}

const placeOf = (scope: string): Place => {
  const [, subscription = '', group = '', namespace, rest = ''] = SCOPE.exec(scope) ?? []
  const segments = rest.split('/')
  const path = Array.from({ length: Math.floor(segments.length / 2) }, (_, depth) => ({
    type: `${namespace}/${segments.filter((_segment, index) => index % 2 === 0 && index <= depth * 2).join('/')}`,
    name: segments[depth * 2 + 1] ?? '',
  }))
  return { subscription, group, path: namespace === undefined ? [] : path }
}

const text = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('${', '\\${')}'`

/** Stable API versions of the resource types on which roles are assigned. */
const VERSIONS: Readonly<Record<string, string>> = {
  'Microsoft.Network/virtualNetworks': '2024-05-01',
  'Microsoft.Network/virtualNetworks/subnets': '2024-05-01',
  'Microsoft.Compute/diskEncryptionSets': '2024-03-02',
  'Microsoft.Compute/galleries': '2023-07-03',
}

const versionOf = (type: string): string =>
  Object.entries(VERSIONS).find(([known]) => known.toLowerCase() === type.toLowerCase())?.[1] ?? ''

/** Returns declarations of the existing resources, the outermost first, and the symbol of the last one. */
const existing = ({ path }: Place, prefix: string): { readonly lines: readonly string[]; readonly symbol?: string } => {
  const lines = path.flatMap(({ type, name }, depth) => [
    `resource ${prefix}${depth} '${type}@${versionOf(type)}' existing = {`,
    ...(depth === 0 ? [] : [`  parent: ${prefix}${depth - 1}`]),
    `  name: ${text(name)}`,
    '}',
    '',
  ])
  return path.length === 0 ? { lines } : { lines, symbol: `${prefix}${path.length - 1}` }
}

const assignmentLines = (assignment: RoleAssignment, index: number): readonly string[] => {
  const { name, id } = builtInRoles[assignment.role]
  const { lines, symbol } = existing(placeOf(assignment.scope), `on${index}_`)
  return [
    ...lines,
    `// ${name}: ${rolePurpose(assignment)}`,
    `resource role${index} 'Microsoft.Authorization/roleAssignments@2022-04-01' = {`,
    ...(symbol === undefined ? [] : [`  scope: ${symbol}`]),
    `  name: guid(${symbol === undefined ? 'resourceGroup()' : symbol}.id, principalId, ${text(id)})`,
    '  properties: {',
    `    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', ${text(id)})`,
    '    principalId: principalId',
    "    principalType: 'ServicePrincipal'",
    '  }',
    '}',
    '',
  ]
}

/**
 * Returns the assignments as Bicep, one file for each resource group, because a Bicep deployment assigns roles only in its own group.
 * Each file begins with its name and the command that deploys it.
 */
export const bicepFiles = (assignments: readonly RoleAssignment[], principalId: string | undefined): string => {
  const groups = Map.groupBy(assignments, ({ scope }) => {
    const { subscription, group } = placeOf(scope)
    return `${subscription}/${group}`
  })
  const files = [...groups].map(([key, own], index) => {
    const [subscription, group = ''] = key.split('/')
    const file = `karpenter-roles-${index + 1}.bicep`
    const principal = principalId === undefined ? ' --parameters principalId="$PRINCIPAL_ID"' : ''
    return [
      `// ${file}: az deployment group create --subscription ${subscription} --resource-group ${group} --template-file ${file}${principal}`,
      '',
      "@description('Object ID of the controller identity')",
      `param principalId string${principalId === undefined ? '' : ` = ${text(principalId)}`}`,
      '',
      ...own.flatMap(assignmentLines),
    ].join('\n')
  })
  return files.join('\n')
}
