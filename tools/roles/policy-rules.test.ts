import { karpenterKinds, kinds } from '@kerf/apis'
import { may, mirrors } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { policyRules } from './policy-rules.ts'
import { roleText } from './role-template.ts'

const rehearsed = { env: 'REHEARSED', default: true }
const unlimited = { when: undefined, resourceNames: undefined, acts: false }
const acting = { ...unlimited, acts: true }

describe('policy rules', () => {
  test('the verbs of a resource share a rule, and so do resources with the same verbs', () => {
    const permissions = [
      mirrors(kinds.Node, 'x'),
      may(['patch', 'list'], kinds.Node, 'y'),
      mirrors(kinds.Pod, 'x'),
      mirrors(kinds.Namespace, 'x'),
      mirrors(kinds.DaemonSet, 'x'),
    ]
    expect(policyRules(permissions)).toEqual([
      { ...unlimited, apiGroup: '', resources: ['namespaces', 'nodes', 'pods'], verbs: ['list', 'watch'] },
      { ...acting, apiGroup: '', resources: ['nodes'], verbs: ['patch'] },
      { ...unlimited, apiGroup: 'apps', resources: ['daemonsets'], verbs: ['list', 'watch'] },
    ])
  })

  test('a rule has every verb of its permission, also one that applies to no objects', () => {
    const permissions = [may(['patch', 'approve'], kinds.Node, 'x', { names: ['a'] })]
    expect(policyRules(permissions)).toEqual([
      { ...acting, apiGroup: '', resources: ['nodes'], resourceNames: ['a'], verbs: ['patch', 'approve'] },
    ])
  })

  test('an option only adds permissions that are not granted without it', () => {
    const permissions = [
      may(['delete'], kinds.Pod, 'x', { when: rehearsed }),
      may(['delete'], kinds.Pod, 'x'),
      may(['patch'], kinds.Pod, 'x', { when: rehearsed }),
    ]
    expect(policyRules(permissions)).toEqual([
      { ...acting, apiGroup: '', resources: ['pods'], verbs: ['delete'] },
      { ...acting, when: rehearsed, apiGroup: '', resources: ['pods'], verbs: ['patch'] },
    ])
  })

  test('a permission for certain names is omitted if there is one for all names, and permissions of another role are omitted', () => {
    const named = may(['get', 'patch'], kinds.ConfigMap, 'x', { names: ['prices'] })
    expect(policyRules([named, may(['get'], kinds.ConfigMap, 'x')])).toEqual([
      { ...acting, apiGroup: '', resources: ['configmaps'], resourceNames: ['prices'], verbs: ['patch'] },
      { ...unlimited, apiGroup: '', resources: ['configmaps'], verbs: ['get'] },
    ])
    const pool = mirrors(karpenterKinds.NodePool, 'x')
    expect(policyRules([pool, may(['get'], karpenterKinds.NodePool, 'x')], [pool])).toEqual([
      { ...unlimited, apiGroup: 'karpenter.sh', resources: ['nodepools'], verbs: ['get'] },
    ])
  })
})

test('a rule for a provider’s setting is rendered with the setting’s variable and default', () => {
  const rules = policyRules([may(['patch'], kinds.Pod, 'x', { when: rehearsed }), may(['get'], kinds.Pod, 'x')])
  const text = roleText({ suffix: '', rules })
  expect(text).toContain('{{- if (include "karpenter.isOn" (list $ "REHEARSED" "true")) }}')
})

test('a role that only one option needs is not created without that option', () => {
  const rules = policyRules([may(['create'], kinds.Lease, 'x', { when: 'LeaderElection' })])
  const text = roleText({ suffix: '', namespace: '.Release.Namespace', rules })
  expect(text).toMatch(/^\{\{- if or \(not .*"DISABLE_LEADER_ELECTION".*false \}\}\napiVersion/)
  expect(text.trimEnd()).toMatch(/\{\{- end \}\}$/)
})

test('in observe mode, a role only grants reads and the writes that observe mode itself makes', () => {
  const rules = policyRules([
    may(['list', 'patch'], kinds.Pod, 'x'),
    may(['create'], kinds.Event, 'x', { observing: true }),
  ])
  const [observing = '', acting = ''] = roleText({ suffix: '', rules }).split('{{- if not')
  expect(observing).toContain('resources: [pods]\n    verbs: [list]')
  expect(observing).toContain('resources: [events]\n    verbs: [create]')
  expect(acting).toContain('"OBSERVE" "false"')
  expect(acting).toContain('verbs: [patch]')
})
