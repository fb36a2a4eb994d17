import { collect } from '@kerf/provider-kit/command-line'
import type { FeatureGates } from '@kerf/runtime'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { featureGatesOption } from '../cluster/feature-gates.ts'
import { type InstanceTypesChoice, instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import type { FileChoice } from '../manifests/file-options.ts'
import { validationOption } from '../manifests/validation-option.ts'

export type ClusterChoice = 'sandbox' | 'local' | 'kubeconfig'

/** The options of `kerf up`. */
export interface UpOptions extends InstanceTypesChoice, FileChoice {
  readonly cluster: ClusterChoice
  readonly featureGates: FeatureGates
  readonly headless: boolean
  readonly untilSettled: boolean
  /** Whether to serve the dashboard. By default, it is served if there is a live screen that runs until the user ends it. */
  readonly dashboard?: boolean
  readonly output: 'text' | 'json'
  readonly port: number
  /** How many seconds of cluster time pass in one second of real time. Only for the sandbox. */
  readonly speed: number
  readonly kubeconfig?: string
  readonly context?: string
  readonly timeout: number
  readonly seed: number
  readonly logLevel: 'debug' | 'info' | 'error'
}

const within = (what: string, low: number, high: number, whole: boolean) => (text: string) => {
  const value = Number(text)
  if (
    text.trim() === '' ||
    !Number.isFinite(value) ||
    value < low ||
    value > high ||
    (whole && !Number.isInteger(value))
  ) {
    throw new InvalidArgumentError(`${what} must be ${whole ? 'a whole number' : 'a number'} from ${low} to ${high}.`)
  }
  return value
}

/** Adds the flags of `kerf up` to its command. */
export const declareUpOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--cluster <where>',
        'sandbox: in this process; local: a real etcd, API server, scheduler and controller manager on loopback; kubeconfig: an existing cluster',
      )
        .choices(['sandbox', 'local', 'kubeconfig'])
        .default('sandbox'),
    )
    .option(
      '-f, --filename <file|dir>',
      'manifests to apply instead of the quickstart: YAML or JSON, optionally gzipped, or - for standard input (repeatable)',
      collect,
      [],
    )
    .option('-R, --recursive', 'also read the subdirectories of -f', false)
    .option(
      '-k, --kustomize <dir>',
      'directory with a kustomization, built by kubectl or kustomize (repeatable)',
      collect,
      [],
    )
    .addOption(validationOption())
    .addOption(instanceTypesOption())
    .addOption(regionOption())
    .addOption(featureGatesOption())
    .option('--headless', 'print one line per change instead of the live screen', false)
    .option(
      '--until-settled',
      'exit when the cluster has settled: with code 0, or 3 if pods are left without a node',
      false,
    )
    .option(
      '--dashboard',
      'also serve Headlamp with Kerf’s plugin on loopback (default: on a terminal, without --until-settled)',
    )
    .option('--no-dashboard', 'no dashboard')
    .addOption(
      new Option('-o, --output <format>', 'json prints one JSON object at the end')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option(
      '--port <port>',
      'port of the API server on loopback; 0 picks a free port',
      within('The port', 0, 65535, true),
      0,
    )
    .option(
      '--speed <factor>',
      'cluster seconds per second of wall time (sandbox only)',
      within('The speed', 0.1, 10_000, false),
      1,
    )
    .option('--kubeconfig <file>', 'kubeconfig file for --cluster kubeconfig; default: KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig')
    .option(
      '--timeout <seconds>',
      'with --until-settled: exit with code 1 after this many seconds of cluster time',
      within('The time-out', 1, 86_400, false),
      600,
    )
    .option(
      '--seed <number>',
      'random seed of the sandbox; the same seed gives the same names',
      within('The seed', 0, 4_294_967_295, true),
      1,
    )
    .addOption(
      new Option('--log-level <level>', 'what the controller logs to standard error; debug adds stack traces')
        .choices(['debug', 'info', 'error'])
        .default('error'),
    )
