import type { SourceGroup } from '../groups/source-group.ts'
import type { PhaseParts } from './phases.ts'

/** What only a person may do to a group, because it is outside of the cluster. Nothing for groups without a cloud. */
export const cloudCommands =
  (groups: readonly SourceGroup[], clusterName = 'CLUSTER_NAME'): PhaseParts['inCloud'] =>
  ({ name, min, max }, what) => {
    const group = groups.find((each) => each.name === name)
    switch (group?.origin) {
      case 'managed node group':
        if (what === 'delete')
          return {
            commands: [`aws eks delete-nodegroup --cluster-name ${clusterName} --nodegroup-name ${name}`],
            back: [],
          }
        if (min === 0) return undefined
        return {
          commands: [
            `aws eks update-nodegroup-config --cluster-name ${clusterName} --nodegroup-name ${name} --scaling-config minSize=0`,
          ],
          back: [
            `aws eks update-nodegroup-config --cluster-name ${clusterName} --nodegroup-name ${name} --scaling-config minSize=${min},maxSize=${max}`,
          ],
        }
      case 'eksctl node group':
        if (what === 'delete')
          return { commands: [`eksctl delete nodegroup --cluster ${clusterName} --name ${name}`], back: [] }
        if (min === 0) return undefined
        return {
          commands: [`eksctl scale nodegroup --cluster ${clusterName} --name ${name} --nodes-min 0`],
          back: [
            `eksctl scale nodegroup --cluster ${clusterName} --name ${name} --nodes-min ${min} --nodes-max ${max}`,
          ],
        }
      case 'Auto Scaling group':
        if (what === 'delete')
          return { commands: [`aws autoscaling delete-auto-scaling-group --auto-scaling-group-name ${name}`], back: [] }
        if (min === 0) return undefined
        return {
          commands: [`aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${name} --min-size 0`],
          back: [`aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${name} --min-size ${min}`],
        }
      default:
        return undefined
    }
  }
