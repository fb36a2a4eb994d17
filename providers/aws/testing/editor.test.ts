import { resourceSchema } from '@kerf/provider-contract/dashboard/testing'
import { expect, test } from 'vitest'
import { classChange } from '../../../packages/dashboard/plugin/src/model/class-change.ts'
import { checkText, compiled, editorText } from '../../../packages/dashboard/plugin/src/model/editing.ts'
import { ec2NodeClassResource } from '../src/node-class/ec2-node-class.ts'
import { ec2NodeClass } from '../src/testing/ec2-node-class.ts'

test('a default that an edit removes is stored again, and causes no drift', () => {
  const schema = compiled(resourceSchema(ec2NodeClassResource))
  const full = {
    httpEndpoint: 'enabled',
    httpProtocolIPv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'required',
  } as const
  const nodeClass = ec2NodeClass('default', { spec: { metadataOptions: full } })
  const edited = editorText(ec2NodeClass('default', { spec: { metadataOptions: { httpTokens: 'required' } } }))
  const { object, stored, problems } = checkText(edited, schema, nodeClass)
  expect(problems).toEqual([])
  const effect = (after: unknown) => classChange(nodeClass, after, 'karpenter.k8s.aws', 'EC2NodeClass', []).effect
  expect([effect(object), effect(stored)]).toEqual(['drift', 'none'])
})
