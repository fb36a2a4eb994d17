import type { HandWork, SourceGroup } from '@kerf/provider-contract'

interface Sizes {
  readonly min: number
  readonly max?: number
}

type Name = Pick<SourceGroup, 'origin' | 'name'>

const resizeCommand = ({ origin, name }: Name, { min, max }: Sizes, clusterName: string): string | undefined => {
  const sizes = (form: (key: 'min' | 'max', value: number) => string): readonly string[] => [
    form('min', min),
    ...(max === undefined ? [] : [form('max', max)]),
  ]
  switch (origin) {
    case 'managed node group':
      return `aws eks update-nodegroup-config --cluster-name ${clusterName} --nodegroup-name ${name} --scaling-config ${sizes((key, value) => `${key}Size=${value}`).join(',')}`
    case 'eksctl node group':
      return `eksctl scale nodegroup --cluster ${clusterName} --name ${name} ${sizes((key, value) => `--nodes-${key} ${value}`).join(' ')}`
    case 'Auto Scaling group':
      return `aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${name} ${sizes((key, value) => `--${key}-size ${value}`).join(' ')}`
    default:
      return undefined
  }
}

/** Returns the command that changes the bounds of a node group, and the command that restores them. */
export const resize = (group: SourceGroup, sizes: Sizes, clusterName: string): HandWork | undefined => {
  const { origin, min, max } = group
  const before = { min, ...(sizes.max === undefined && origin === 'Auto Scaling group' ? {} : { max }) }
  const [command, back] = [sizes, before].map((each) => resizeCommand(group, each, clusterName))
  return command === undefined || back === undefined ? undefined : { commands: [command], back: [back] }
}

/** Parses a command of `resize` into the node group and its new minimum. Returns undefined for every other command. */
export const readResize = (command: string): { readonly group: string; readonly min: number } | undefined => {
  const group = /^(?:aws|eksctl) .*--(?:nodegroup-name|auto-scaling-group-name|name) (\S+)/.exec(command)?.[1]
  const min = /(?:minSize=|--nodes-min |--min-size )(\d+)/.exec(command)?.[1]
  return group === undefined || min === undefined ? undefined : { group, min: Number(min) }
}

/** Returns the command that deletes a node group. */
export const deletion = ({ origin, name }: Name, clusterName: string): string | undefined => {
  switch (origin) {
    case 'managed node group':
      return `aws eks delete-nodegroup --cluster-name ${clusterName} --nodegroup-name ${name}`
    case 'eksctl node group':
      return `eksctl delete nodegroup --cluster ${clusterName} --name ${name}`
    case 'Auto Scaling group':
      return `aws autoscaling delete-auto-scaling-group --auto-scaling-group-name ${name}`
    default:
      return undefined
  }
}
