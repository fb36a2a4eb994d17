import { setting } from '@kerf/runtime'

const { choice, duration, flagged, text } = setting

/** What `kerf run` is told for this provider. `offline` names the providers that have offline instance types. */
export const kwokRunSettings = (offline: readonly string[]) => ({
  catalogue: choice({
    env: 'KWOK_CATALOGUE',
    flag: 'catalogue',
    default: 'kwok',
    of: offline,
    origin: 'kerf',
    meaning:
      'Machines of the KWOK provider where no file is given: `kwok`, its own 144 types, or `aws`, those of EC2 in us-east-1 with on-demand prices as published and estimated spot prices.',
  }),
  instanceTypesFilePath: text({
    env: 'INSTANCE_TYPES_FILE_PATH',
    flag: 'instance-types-file-path',
    default: '',
    meaning: 'Machine catalogue of the KWOK provider as a JSON file; empty is the one that `--catalogue` names.',
  }),
  simulateKubelet: flagged({
    env: 'KWOK_SIMULATE_KUBELET',
    flag: 'simulate-kubelet',
    default: true,
    origin: 'kerf',
    meaning:
      'Play the kubelet of the nodes that the KWOK provider makes. Turn it off where the kwok simulator does that.',
  }),
  nodeReadyDelay: duration({
    env: 'KWOK_NODE_READY_DELAY',
    flag: 'node-ready-delay',
    default: 0,
    origin: 'kerf',
    meaning: 'How long a node of the KWOK provider needs from its appearance to being Ready.',
  }),
  instanceTerminationDelay: duration({
    env: 'KWOK_INSTANCE_TERMINATION_DELAY',
    flag: 'instance-termination-delay',
    default: 0,
    origin: 'kerf',
    meaning: 'How long an instance of the KWOK provider needs from the order to end to its end.',
  }),
})

export type KwokRunSettings = ReturnType<typeof kwokRunSettings>
