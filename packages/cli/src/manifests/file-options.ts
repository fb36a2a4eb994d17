import { collect } from '@kerf/provider-kit/command-line'
import { type Command, Option } from 'commander'
import { type ValidationMode, validationOption } from './validation-option.ts'

/** The manifest files that the command line selects. */
export interface FileChoice {
  readonly filename: readonly string[]
  readonly recursive?: boolean
  readonly kustomize?: readonly string[]
  readonly validate?: ValidationMode
}

/** Returns whether the command reads files instead of a live cluster. */
export const readsFiles = ({ filename, kustomize = [] }: FileChoice): boolean => filename.length + kustomize.length > 0

/**
 * Adds `-f`, `-R`, `-k`, `--validate` and `--replicas` to a command. They are the same for every command that plans for a cluster in files.
 */
export const withFiles = (command: Command): Command =>
  command
    .option(
      '-f, --filename <file|dir>',
      'manifests of a cluster: YAML or JSON, optionally gzipped, or - for standard input (repeatable); without -f, the live cluster',
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
    .addOption(
      new Option('--replicas <which>', 'how many replicas to plan for a workload with a HorizontalPodAutoscaler')
        .choices(['min', 'max', 'current'])
        .default('current'),
    )
