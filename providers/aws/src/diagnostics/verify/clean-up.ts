import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { type AwsApi, ec2Filter } from '../../api/aws-api.ts'
import type { Leftovers } from '../../api/leftovers.ts'
import { classifyAwsFailure } from '../../failures/aws-failure.ts'
import { until } from './verify-cluster.ts'
import { verifyClusterName } from './verify-plan.ts'

export interface CleanUpDeps {
  readonly api: Pick<AwsApi, 'ec2' | 'iam'>
  readonly leftovers: Leftovers
  readonly clock: Clock
  readonly region: string
  readonly run: string
}

/** The resources that a run has left behind: those with the run's tag, and instance profiles below the run's IAM path. */
export interface Remains {
  readonly instances: readonly string[]
  readonly templates: readonly string[]
  readonly profiles: readonly { readonly name: string; readonly roles: readonly string[] }[]
  readonly volumes: readonly string[]
  readonly interfaces: readonly string[]
}

const LIVING = ec2Filter('instance-state-name', 'pending', 'running', 'shutting-down', 'stopping', 'stopped')
/** How long after the termination of an instance EC2 may still list its volumes and network interfaces. */
const GONE_WITHIN: Milliseconds = 300_000

/** Returns all remaining resources of a run, without terminated instances, which EC2 lists for an hour. */
export const findRemains = async (
  { api, leftovers, region, run }: CleanUpDeps,
  signal: AbortSignal,
): Promise<Remains> => {
  const own = ec2Filter(`tag:kubernetes.io/cluster/${verifyClusterName(run)}`, 'owned')
  const path = `/karpenter/${region}/${verifyClusterName(run)}/`
  const profiles = await api.iam.listInstanceProfiles(path, signal)
  return {
    instances: (await api.ec2.describeInstances({ filters: [own, LIVING] }, signal)).flatMap(
      ({ InstanceId }) => InstanceId ?? [],
    ),
    templates: (await api.ec2.describeLaunchTemplates({ filters: [own] }, signal)).flatMap(
      ({ LaunchTemplateId }) => LaunchTemplateId ?? [],
    ),
    profiles: profiles.filter((profile) => profile.path.startsWith(path)),
    volumes: (await leftovers.describeVolumes([own], signal)).flatMap(({ VolumeId }) => VolumeId ?? []),
    interfaces: (await leftovers.describeNetworkInterfaces([own], signal)).flatMap(
      ({ NetworkInterfaceId }) => NetworkInterfaceId ?? [],
    ),
  }
}

export const isNothing = (remains: Remains): boolean => Object.values(remains).every(({ length }) => length === 0)

/** Returns a text that lists the remaining resources and the AWS CLI commands that remove them, one per line. */
export const remainsText = (remains: Remains, region: string): string => {
  const { instances, templates, profiles, volumes, interfaces } = remains
  const aws = (command: string): string => `  aws ${command} --region ${region}\n`
  const each = (ids: readonly string[], command: string): string => ids.map((id) => aws(`${command} ${id}`)).join('')
  return [
    instances.length === 0 ? '' : aws(`ec2 terminate-instances --instance-ids ${instances.join(' ')}`),
    each(templates, 'ec2 delete-launch-template --launch-template-id'),
    ...profiles.flatMap(({ name, roles }) => [
      ...roles.map((role) =>
        aws(`iam remove-role-from-instance-profile --instance-profile-name ${name} --role-name ${role}`),
      ),
      aws(`iam delete-instance-profile --instance-profile-name ${name}`),
    ]),
    each(volumes, 'ec2 delete-volume --volume-id'),
    each(interfaces, 'ec2 delete-network-interface --network-interface-id'),
  ].join('')
}

/**
 * Removes all resources of a run and waits until they are gone. If AWS refuses a call, the function still makes the other calls.
 * @returns the remaining resources, and the calls that AWS refused
 */
export const cleanUp = async (
  deps: CleanUpDeps,
  signal: AbortSignal,
): Promise<{ readonly remains: Remains; readonly problems: readonly string[] }> => {
  const { api, clock } = deps
  const problems: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      signal.throwIfAborted()
      const { code, message } = classifyAwsFailure(error)
      problems.push(`${what}: ${code}: ${message}`)
    }
  }
  const found = await findRemains(deps, signal)
  if (found.instances.length > 0) await attempt('instances', () => api.ec2.terminateInstances(found.instances, signal))
  for (const id of found.templates) await attempt(id, () => api.ec2.deleteLaunchTemplate({ id }, signal))
  for (const { name, roles } of found.profiles) {
    for (const role of roles) await attempt(name, () => api.iam.removeRole(name, role, signal))
    await attempt(name, () => api.iam.deleteInstanceProfile(name, signal))
  }
  let remains = found
  await until(clock, GONE_WITHIN, signal, async () => {
    remains = await findRemains(deps, signal)
    return isNothing(remains)
  })
  return { remains, problems }
}
