import { expect, test } from 'vitest'
import { groupReader } from './group-reader.ts'
import { readAsg, withTags } from './read-asg.ts'

const OPTION = 'k8s.io/cluster-autoscaler/node-template/autoscaling-options/scaledownunneededtime'

test('tags of the group itself override tags from another resource', () => {
  const group = readAsg({ AutoScalingGroupName: 'a', Tags: [{ Key: OPTION, Value: '5m' }] }, 'file')
  const tags = { [OPTION]: '9m', team: 'web', only: 'named' }
  const { options, launch } = withTags(group, tags, new Set(['team'])).group
  expect(options['scaledownunneededtime']).toBe('5m')
  // Instances get the propagated tags.
  expect(launch.tags).toEqual({ team: 'web' })
})

test('reads the cluster name and the tags for instances from the state of Terraform', () => {
  const resources = [
    { type: 'aws_eks_cluster', values: { name: 'shop' } },
    {
      type: 'aws_eks_node_group',
      values: { node_group_name: 'web', resources: [{ autoscaling_groups: [{ name: 'x' }] }] },
    },
    ...[true, false].map((each) => ({
      type: 'aws_autoscaling_group_tag',
      values: {
        autoscaling_group_name: 'x',
        tag: [{ key: `at-launch-${each}`, value: 'v', propagate_at_launch: each }],
      },
    })),
  ].map((each) => ({ address: each.type, ...each }))
  const reader = groupReader({ report: () => {} })
  expect(reader.readResources?.(resources, 'state.json')).toEqual(new Set(resources.slice(1)))
  const { clusterName, groups } = reader.finish([])
  expect(clusterName).toBe('shop')
  expect(groups[0]?.launch?.tags).toEqual({ 'at-launch-true': 'v' })
})
