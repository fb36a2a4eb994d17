import { execFileSync } from 'node:child_process'
import { nodeClaim } from '@kerf/testing'
import { describe, expect, it } from 'vitest'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { noKubeletSettings, oracleClassSample, resolvedClassSample } from '../testing/resolved-class-sample.ts'
import type { ClusterJoin } from './cluster-join.ts'
import { instanceMetadata } from './instance-metadata.ts'
import type { NodePlan } from './node-plan.ts'

const join: ClusterJoin = {
  ...{ endpoint: 'https://10.0.0.10:6443', caBundle: 'Q0E=', dns: '', bootstrapToken: 'abc.def', isVcnNative: false },
}

const plan = (nodeClass: ResolvedClass): NodePlan => ({
  claim: nodeClaim('default-abcde', { spec: { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] } }),
  nodeClass,
  labels: { 'karpenter.sh/nodepool': 'default', a: 'b' },
  ...{ maxPods: 31, subnetId: 'ocid1.subnet.oc1..a', isPreemptible: false },
})

const metadata = (nodeClass: ResolvedClass, cluster = join) => instanceMetadata(plan(nodeClass), cluster)
const script = (nodeClass: ResolvedClass, cluster = join): string =>
  Buffer.from(metadata(nodeClass, cluster)['user_data'] ?? '', 'base64').toString()

/** Returns the arguments that a script passes to an install script, after Bash has split them. */
const bashArguments = (text: string, installScript: string): readonly string[] => {
  const replaced = text.replaceAll(`bash ${installScript}`, `printf '%s\\n'`).replace(/\n> \S+\n$/, '\n')
  return execFileSync('bash', ['-c', replaced], { encoding: 'utf8' }).split('\n').slice(0, -1)
}

describe('a class of the community’s kind', () => {
  it('starts with a MIME document: its user data, then the install script of OKE', () => {
    const nodeClass = { ...resolvedClassSample, bootstrap: { form: 'oke-mime', userData: 'echo first' } } as const
    const text = script(nodeClass, { ...join, dns: '10.96.0.10' })
    expect(text).toMatch(/^MIME-Version: 1.0\nContent-Type: multipart\/mixed; boundary="\/\/"/)
    expect(text.indexOf('echo first')).toBeLessThan(text.indexOf('#!/bin/bash -xe'))
    const install = text.slice(text.indexOf('bash /etc/oke'), text.indexOf('\n--//--'))
    expect(bashArguments(install, '/etc/oke/oke-install.sh')).toEqual([
      ...['--apiserver-endpoint', '10.0.0.10', '--kubelet-ca-cert', 'Q0E=', '--kubelet-extra-args'],
      '--node-labels="a=b,karpenter.sh/nodepool=default" --register-with-taints="team=a:NoSchedule,karpenter.sh/unregistered:NoExecute" --max-pods=31',
      ...['--cluster-dns', '10.96.0.10'],
    ])
  })

  it('passes the settings of the kubelet in a fixed order', () => {
    const kubelet = {
      ...noKubeletSettings,
      podsPerCore: 8,
      systemReserved: { memory: '1Gi', cpu: '100m' },
      evictionHard: { 'memory.available': '5%' },
      evictionSoft: { 'memory.available': '10%' },
      evictionSoftGracePeriod: { 'memory.available': '1m' },
      imageGCHighThresholdPercent: 85,
      cpuCFSQuota: false,
      clusterDNS: ['10.1.0.10'],
    }
    expect(script({ ...resolvedClassSample, kubelet })).toContain(
      `--max-pods=31 --pods-per-core=8 --system-reserved="cpu=100m,memory=1Gi" --eviction-hard="memory.available<5%" --eviction-soft="memory.available<10%" --eviction-soft-grace-period="memory.available=1m" --image-gc-high-threshold=85 --cpu-cfs-quota=false' \\\n--cluster-dns '10.1.0.10'`,
    )
  })

  it('has the metadata of native pod networking if the cluster uses it', () => {
    const nodeClass = { ...resolvedClassSample, metadata: { mine: 'yes', user_data: 'replaced' } }
    expect(metadata(nodeClass, { ...join, isVcnNative: true })).toMatchObject({
      ...{ mine: 'yes', 'oke-native-pod-networking': 'true', 'oke-max-pods': '31' },
      'pod-subnets': 'ocid1.subnet.oc1..a',
    })
  })

  it('starts a node of a self-managed cluster with the files of its kubelet', () => {
    const bootstrap = { form: 'ubuntu', userData: 'install\nEOF', preInstallScript: 'prepare' } as const
    const text = script({ ...resolvedClassSample, bootstrap })
    expect(execFileSync('bash', ['-n'], { input: text, encoding: 'utf8' })).toBe('')
    for (const path of [
      '/etc/self-k8s/kubelet-install.sh',
      '/etc/self-k8s/k8s-install.sh',
      '/etc/kubernetes/kubelet-config.json',
      '/etc/kubernetes/bootstrap-kubelet.conf',
      '/etc/systemd/system/kubelet.service',
      '/etc/containerd/config.toml',
    ])
      expect(text).toContain(`> ${path}\n`)
    expect(text).toContain('token: abc.def')
    expect(text).toMatch(/bash \/etc\/self-k8s\/k8s-install.sh --apiserver-endpoint '10.0.0.10'/)
    const without = { form: 'ubuntu', userData: undefined, preInstallScript: undefined } as const
    expect(() => script({ ...resolvedClassSample, bootstrap: without })).toThrow(/write the script that installs/)
  })
})

describe('a class of Oracle’s kind', () => {
  const kubelet = { ...noKubeletSettings, extraArgs: '--v=$LEVEL "x y"', nodeLabels: { a: 'b' }, maxPods: 31 }

  it('starts with the install script of OKE between its own scripts, and Bash keeps every argument', () => {
    const encoded = (text: string): string => Buffer.from(text).toString('base64')
    const bootstrap = {
      form: 'oke-script',
      preBootstrapInitScript: encoded('echo before'),
      postBootstrapInitScript: encoded('echo after'),
    } as const
    const text = script({ ...oracleClassSample, kubelet, bootstrap })
    expect(bashArguments(text, '/etc/oke/oke-install.sh')).toEqual([
      ...['before', '--apiserver-endpoint', '10.0.0.10', '--kubelet-ca-cert', 'Q0E=', '--kubelet-extra-args'],
      ' --max-pods=31 --node-labels=a=b --v=$LEVEL "x y" --register-with-taints=team=a:NoSchedule,karpenter.sh/unregistered=present:NoExecute',
      'after',
    ])
    const plain = { ...bootstrap, preBootstrapInitScript: 'echo before' }
    expect(() => script({ ...oracleClassSample, bootstrap: plain })).toThrow(/preBootstrapInitScript must be base64/)
  })

  it('keeps its own user data, and passes the arguments as metadata', () => {
    const nodeClass = {
      ...oracleClassSample,
      kubelet,
      metadata: { user_data: 'bWluZQ==' },
      sshAuthorizedKeys: ['a', 'b'],
    }
    expect(metadata(nodeClass)).toEqual({
      user_data: 'bWluZQ==',
      'kubelet-extra-args': expect.stringContaining(' --max-pods=31'),
      apiserver_host: '10.0.0.10',
      cluster_ca_cert: 'Q0E=',
      'oke-initial-node-labels': 'a=b',
      'oke-preconfigured-vnics': 'false',
      'oke-is-preemptible': 'false',
      ssh_authorized_keys: 'a\nb',
    })
  })
})
