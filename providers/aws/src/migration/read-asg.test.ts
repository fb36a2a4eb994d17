import { expect, test } from 'vitest'
import { readAsg, withTags } from './read-asg.ts'
import { readSources } from './read-sources.ts'

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
  ].map((each) => ({ mode: 'managed', address: each.type, ...each }))
  const value = { format_version: '1.0', terraform_version: '1.9.0', values: { root_module: { resources } } }
  const { clusterName, groups } = readSources([{ value, file: 'state.json' }])
  expect(clusterName).toBe('shop')
  expect(groups[0]?.group.launch.tags).toEqual({ 'at-launch-true': 'v' })
})
