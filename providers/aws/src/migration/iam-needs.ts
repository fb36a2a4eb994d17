import type { AccountNeeds, KnownByUser, SourceGroup } from '@kerf/provider-contract'
import { stringify } from 'yaml'
import { cloudFormationTemplate } from '../installation/cloudformation-template.ts'
import { installNames } from '../installation/install-target.ts'
import { type LaunchSettings, lastPart } from './aws-group.ts'

const STACK_FILE = 'iam/stack.yaml'
/** The namespace in which the guides install Kerf. */
const NAMESPACE = 'kube-system'

const roleArn = (role: string): string =>
  role.startsWith('arn:') ? role : `"$(aws iam get-role --role-name ${lastPart(role)} --query Role.Arn --output text)"`

/**
 * Returns the stack of `kerf aws cloudformation` for nodes that keep their roles, and the access entries that these nodes need to join the
 * cluster. When the last managed node group with a role is deleted, EKS removes the role from `aws-auth`. Therefore each role gets its own
 * access entry before that happens.
 */
export const iamNeeds = (groups: readonly SourceGroup<LaunchSettings>[], known: KnownByUser): AccountNeeds => {
  const cluster = known.clusterName ?? 'CLUSTER_NAME'
  const roles = [...new Set(groups.flatMap(({ launch }) => launch?.role ?? known.role ?? []))]
  const template = cloudFormationTemplate(installNames({ clusterName: cluster }), {
    identity: { kind: 'pod-identity' },
    namespace: NAMESPACE,
    intoCluster: true,
    existingNodeRoles: roles.map(lastPart),
  })
  const stack = `kerf-${cluster}`
  return {
    questions: groups.flatMap(({ name, launch }) =>
      launch?.role === undefined && launch?.instanceProfile !== undefined && known.role === undefined
        ? [
            {
              object: `node group ${name}`,
              message: `which role is in its instance profile ${launch.instanceProfile}? aws iam get-instance-profile says it; give it with --node-role, since the policy in ${STACK_FILE} names the roles that Kerf may pass`,
            },
          ]
        : [],
    ),
    files: new Map([[STACK_FILE, stringify(template, { lineWidth: 0, version: '1.1' })]]),
    work: {
      commands: [
        `aws cloudformation deploy --stack-name ${stack} --template-file ${STACK_FILE} --capabilities CAPABILITY_NAMED_IAM`,
        ...roles.map(
          (role) =>
            `aws eks create-access-entry --cluster-name ${cluster} --principal-arn ${roleArn(role)} --type EC2_LINUX    # unless aws eks list-access-entries names it`,
        ),
      ],
      back: [
        `aws cloudformation delete-stack --stack-name ${stack}    # when Kerf is uninstalled; access entries stay`,
      ],
    },
  }
}
