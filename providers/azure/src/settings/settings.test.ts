import { parseSettings } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { azureSettings } from './azure-settings.ts'
import { settingProblems } from './setting-problems.ts'

const GOOD = {
  CLUSTER_NAME: 'demo',
  CLUSTER_ENDPOINT: 'https://demo-12345678.hcp.westeurope.azmk8s.io:443',
  KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef',
  SSH_PUBLIC_KEY: 'ssh-rsa AAAA',
  VNET_SUBNET_ID:
    '/subscriptions/1/resourceGroups/MC_demo/providers/Microsoft.Network/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet',
  AZURE_NODE_RESOURCE_GROUP: 'MC_demo',
  LOCATION: 'westeurope',
  AZURE_SUBSCRIPTION_ID: '1',
}

const problemsWith = (env: Readonly<Record<string, string>>): readonly string[] =>
  settingProblems(parseSettings(azureSettings, { ...GOOD, ...env }).settings)

describe('settings of the Azure provider', () => {
  test('the required settings are sufficient', () => {
    expect(problemsWith({})).toEqual([])
  })

  test('all problems are reported together', () => {
    const none = Object.fromEntries(Object.keys(GOOD).map((name) => [name, '']))
    expect(problemsWith(none)).toEqual(Object.keys(GOOD).map((name) => expect.stringContaining(`${name} is required`)))
  })

  test.each([
    [{ PROVISION_MODE: 'bootstrappingclient' }, 'is not supported'],
    [{ PROVISION_MODE: 'aksmachineapiheaderbatch' }, 'is not supported'],
    [{ NETWORK_PLUGIN: 'none' }, 'NETWORK_PLUGIN_MODE must be empty'],
    [{ DNS_SERVICE_IP: '10.0.0' }, 'DNS_SERVICE_IP'],
    [{ VNET_SUBNET_ID: '/subscriptions/1' }, 'VNET_SUBNET_ID'],
    [{ NODE_OSDISK_DISKENCRYPTIONSET_ID: 'key' }, 'NODE_OSDISK_DISKENCRYPTIONSET_ID'],
    [{ USE_SIG: 'true', SIG_ACCESS_TOKEN_SERVER_URL: 'https://tokens.example.com' }, 'SIG_SUBSCRIPTION_ID'],
    [{ USE_SIG: 'true', SIG_SUBSCRIPTION_ID: '2' }, 'SIG_ACCESS_TOKEN_SERVER_URL'],
    [
      { PROVISION_MODE: 'aksmachineapi', ARM_RESOURCE_GROUP: 'g', USE_SIG: 'true', SIG_SUBSCRIPTION_ID: '2' },
      'AKS_MACHINES_POOL_NAME is required with PROVISION_MODE=aksmachineapi',
    ],
    [
      { PROVISION_MODE: 'aksmachineapi', ARM_RESOURCE_GROUP: 'g', AKS_MACHINES_POOL_NAME: 'pool' },
      'USE_SIG must be true',
    ],
    [
      { MANAGE_EXISTING_AKS_MACHINES: 'true', AKS_MACHINES_POOL_NAME: 'pool' },
      'ARM_RESOURCE_GROUP is required with MANAGE_EXISTING_AKS_MACHINES=true',
    ],
    [{ ARM_CLOUD: 'AzurePublicCloud', AZURE_ENVIRONMENT_FILEPATH: '/etc/azure.json' }, 'both set'],
    [{ AZURE_ENVIRONMENT_FILEPATH: 'azure.json' }, 'not an absolute path'],
  ])('%j: %s', (env, text) => {
    expect(problemsWith(env)).toEqual([expect.stringContaining(text)])
  })

  test.each([
    ['LINUX_ADMIN_USERNAME', '1user'],
    ['VNET_GUID', 'guid'],
    ['KUBELET_IDENTITY_CLIENT_ID', 'me'],
    ['ARM_CLOUD', 'AzureGermanCloud'],
    ['ADDITIONAL_TAGS', 'team'],
    ['ADDITIONAL_TAGS', 'team=a,Team=b'],
    ['ADDITIONAL_TAGS', 'a/b=c'],
    ['ADDITIONAL_TAGS', `a=${'b'.repeat(257)}`],
  ])('%s may not be %s', (name, value) => {
    expect(() => problemsWith({ [name]: value })).toThrow(name)
  })

  test('tags are parsed', () => {
    const { settings } = parseSettings(azureSettings, { ADDITIONAL_TAGS: 'team=data, cost-centre=4=2,' })
    expect(settings.additionalTags).toEqual({ team: 'data', 'cost-centre': '4=2' })
  })
})
