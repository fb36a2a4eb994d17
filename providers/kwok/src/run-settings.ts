import { setting } from '@kerf/runtime'
import { simulatedKubeletSwitch } from './permissions.ts'

const { duration, flagged, text } = setting

/** Returns the settings of `kerf run` for this provider. */
export const kwokRunSettings = () => ({
  instanceTypes: text({
    env: 'KWOK_INSTANCE_TYPES',
    flag: 'instance-types',
    default: '',
    origin: 'kerf',
    meaning:
      'Instance types of the KWOK provider: those of a provider (`kwok`, its own 144 types, or another provider of `--instance-types` in `kerf plan --help`, in its default region) or a JSON file. If empty, `--instance-types-file-path` applies, and then `kwok`.',
  }),
  instanceTypesFilePath: text({
    env: 'INSTANCE_TYPES_FILE_PATH',
    flag: 'instance-types-file-path',
    default: '',
    meaning:
      "Karpenter's name for `--instance-types`. Accepts only a JSON file with instance types of the KWOK provider.",
  }),
  simulateKubelet: flagged({
    ...simulatedKubeletSwitch,
    flag: 'simulate-kubelet',
    origin: 'kerf',
    meaning: 'Simulate the kubelet of nodes of the KWOK provider. Turn it off if the kwok simulator does this.',
  }),
  nodeReadyDelay: duration({
    env: 'KWOK_NODE_READY_DELAY',
    flag: 'node-ready-delay',
    default: 0,
    origin: 'kerf',
    meaning: 'How long a node of the KWOK provider takes to become Ready after its creation.',
  }),
  instanceTerminationDelay: duration({
    env: 'KWOK_INSTANCE_TERMINATION_DELAY',
    flag: 'instance-termination-delay',
    default: 0,
    origin: 'kerf',
    meaning: 'How long an instance of the KWOK provider takes to terminate.',
  }),
})

export type KwokRunSettings = ReturnType<typeof kwokRunSettings>
