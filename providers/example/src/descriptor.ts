import { karpenterKinds, noVocabulary } from '@kerf/apis'
import { declareEvents, type NodeClassDescriptor, type ProviderDescriptor } from '@kerf/provider-contract'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors, type Setting, setting } from '@kerf/runtime'
import { type ExampleNodeClass, exampleHash, exampleNodeClass } from './example-node-class.ts'

const nodeClass: NodeClassDescriptor<ExampleNodeClass> = {
  resource: exampleNodeClass,
  conditions: { dependents: [] },
  conditionMeanings: {},
  hash: exampleHash,
  selectors: [],
  example: {
    apiVersion: 'example.kerf.sh/v1',
    kind: 'ExampleNodeClass',
    metadata: { name: 'default' },
    spec: { image: 'linux-2026', zones: ['example-1a'] },
  },
}

/**
 * The descriptor, which contains what the rest of Kerf uses of the provider. `provider-list.ts` exports the descriptors of real
 * providers.
 */
export const exampleDescriptor: ProviderDescriptor<{
  readonly exampleEndpoint: Setting<string>
  readonly exampleKeyFile: Setting<string>
}> = {
  name: 'example',
  title: 'example',
  nodeClasses: [nodeClass],
  settings: () => ({
    exampleEndpoint: setting.text({
      env: 'EXAMPLE_ENDPOINT',
      flag: 'example-endpoint',
      default: '',
      origin: 'kerf',
      meaning: 'The address of the API of the example cloud.',
    }),
    exampleKeyFile: setting.text({
      env: 'EXAMPLE_KEY_FILE',
      flag: 'example-key-file',
      default: '',
      origin: 'kerf',
      meaning: 'A file with the key of the account.',
    }),
  }),
  labels: noVocabulary,
  permissions: [
    ...garbageCollectionPermissions,
    may(['get', 'list', 'watch'], exampleNodeClass.kind, 'what servers are made from'),
    mirrors(karpenterKinds.NodeClaim, 'which servers are wanted'),
  ],
  events: declareEvents({}),
  metrics: async () => [],
  capabilities: {
    capacityTypes: ['spot', 'on-demand'],
    interruptionNotices: false,
    prices: 'declared',
    devices: false,
    tagsAtLaunch: true,
  },
  instanceTypes: {
    description: 'the four types of the example cloud',
    load: async () => (await import('./server-types.ts')).serverTypes(),
  },
  chart: {
    hasCrds: true,
    env: '- name: EXAMPLE_ENDPOINT\n  value: {{ $settings.exampleEndpoint | quote }}',
    manifestValues: ['settings.provider=example'],
    roleSuffixes: {},
  },
  create: async ({ exampleEndpoint, exampleKeyFile }, context, surroundings) => {
    const { createExample } = await import('./create-example.ts')
    return createExample({ endpoint: exampleEndpoint, keyFile: exampleKeyFile }, context, surroundings)
  },
}
