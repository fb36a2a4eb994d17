import { expression, terraformJson } from '@kerf/provider-kit/terraform'
import { controllerAccount, controllerRole, podMember, type RoleTarget } from '../roles/controller-role.ts'
import { ACT_AS } from '../roles/needed-permissions.ts'

const NETWORK_USER = 'roles/compute.networkUser'
const POD_USER = 'roles/iam.workloadIdentityUser'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the gcloud commands that create the role, the service account and the bindings. The commands can be repeated safely. */
export const gcloudCommands = (target: RoleTarget): string => {
  const { project, cluster, roleId, account, nodeAccount, networkProject } = target
  const { title, description, stage, includedPermissions } = controllerRole(cluster)
  const [inProject, address] = [`--project ${quoted(project)}`, controllerAccount(target)]
  const member = quoted(`serviceAccount:${address}`)
  return `${[
    'set -eu',
    '',
    '# The custom role of the controller:',
    `if gcloud iam roles describe ${quoted(roleId)} ${inProject} > /dev/null 2>&1; then verb=update; else verb=create; fi`,
    `gcloud iam roles "$verb" ${quoted(roleId)} ${inProject} --title ${quoted(title)} \\`,
    `  --description ${quoted(description)} --stage ${stage} \\`,
    `  --permissions ${includedPermissions.join(',')}`,
    '',
    '# Its service account, which has the role in the project:',
    `gcloud iam service-accounts describe ${quoted(address)} ${inProject} > /dev/null 2>&1 ||`,
    `  gcloud iam service-accounts create ${quoted(account)} ${inProject} --display-name ${quoted(title)}`,
    `gcloud projects add-iam-policy-binding ${quoted(project)} --member ${member} \\`,
    `  --role ${quoted(`projects/${project}/roles/${roleId}`)} --condition None`,
    ...(networkProject === undefined
      ? []
      : [
          '',
          '# Shared VPC: the subnetworks of the host project.',
          `gcloud projects add-iam-policy-binding ${quoted(networkProject)} --member ${member} \\`,
          `  --role ${NETWORK_USER} --condition None`,
        ]),
    '',
    '# It may start instances that have the service account of the nodes:',
    nodeAccount === undefined
      ? `NODE_ACCOUNT="$(gcloud projects describe ${quoted(project)} --format 'value(projectNumber)')-compute@developer.gserviceaccount.com"`
      : `NODE_ACCOUNT=${quoted(nodeAccount)}`,
    `gcloud iam service-accounts add-iam-policy-binding "$NODE_ACCOUNT" ${inProject} --member ${member} --role ${ACT_AS.role}`,
    '',
    '# The pods of the controller may act as it:',
    `gcloud iam service-accounts add-iam-policy-binding ${quoted(address)} ${inProject} \\`,
    `  --member ${quoted(podMember(target))} --role ${POD_USER}`,
  ].join('\n')}\n`
}

/** Escapes `${` for Terraform, because Terraform treats strings as templates. */
const literal = (text: string): string => text.replaceAll('${', '$${')

/** Returns the role, the service account and the bindings as a Terraform module in JSON syntax, for a file `main.tf.json`. */
export const terraformRole = (target: RoleTarget): string => {
  const { project, cluster, roleId, account, nodeAccount, networkProject } = target
  const { title, description, stage, includedPermissions } = controllerRole(cluster)
  const member = expression('google_service_account.controller.member')
  const members = (name: string, type: string, fields: Readonly<Record<string, string>>) => ({
    ...{ type, name, arguments: { ...fields, member } },
  })
  return terraformJson({
    terraform: { required_providers: { google: { source: 'hashicorp/google', version: '>= 6.0' } } },
    provider: {},
    variable: {
      node_service_account: {
        type: 'string',
        description: 'address of the service account of the nodes',
        ...(nodeAccount === undefined ? {} : { default: literal(nodeAccount) }),
      },
    },
    locals: {},
    resource: [
      {
        type: 'google_project_iam_custom_role',
        name: 'controller',
        arguments: {
          project,
          role_id: roleId,
          title: literal(title),
          description,
          stage,
          permissions: includedPermissions,
        },
      },
      {
        type: 'google_service_account',
        name: 'controller',
        arguments: { project, account_id: account, display_name: literal(title) },
      },
      members('controller', 'google_project_iam_member', {
        project,
        role: expression('google_project_iam_custom_role.controller.name'),
      }),
      ...(networkProject === undefined
        ? []
        : [members('network', 'google_project_iam_member', { project: networkProject, role: NETWORK_USER })]),
      members('nodes', 'google_service_account_iam_member', {
        service_account_id: `${literal(`projects/${project}/serviceAccounts/`)}${expression('var.node_service_account')}`,
        role: ACT_AS.role,
      }),
      {
        type: 'google_service_account_iam_member',
        name: 'pods',
        arguments: {
          service_account_id: expression('google_service_account.controller.name'),
          role: POD_USER,
          member: literal(podMember(target)),
        },
      },
    ],
    output: { service_account: { value: expression('google_service_account.controller.email') } },
  })
}
