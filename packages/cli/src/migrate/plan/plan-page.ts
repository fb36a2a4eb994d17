import type { FieldConversion } from '@kerf/provider-contract'
import { table } from '@kerf/provider-kit/terminal'
import type { MigrationPlan, ObjectRef, PlanStep } from './migration-plan.ts'

export const nameOfRef = ({ kind, namespace, name }: ObjectRef): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

/** Returns a description of one step. */
export const stepText = (step: PlanStep): string => {
  switch (step.do) {
    case 'apply':
      return `apply ${step.file}`
    case 'patch':
      return `patch ${nameOfRef(step.object)}`
    case 'roll out':
      return `wait until ${nameOfRef(step.object)} has rolled out, at most ${step.within}`
    case 'cordon':
      return `cordon the nodes of ${step.group}`
    case 'drain':
      return `evict the pods of ${step.group} within their PodDisruptionBudgets, at most ${step.within}`
    case 'wait until gone':
      return `wait until Cluster Autoscaler has removed the nodes of ${step.group}, at most ${step.within}`
    case 'wait until given back':
      return `wait until Cluster Autoscaler has removed the nodes that are unneeded, at most ${step.within}`
    case 'wait until calm':
      return `wait until no pod is pending for over ${step.pendingFor}, at most ${step.within}`
    case 'by hand':
      return `by hand: ${step.commands.join('; ')}`
  }
}

const counted = (conversions: readonly FieldConversion[], fate: FieldConversion['fate']): number =>
  conversions.filter((each) => each.fate === fate).length

/** Returns the report that `kerf migrate cas` prints to the terminal. */
export const reportText = (
  plan: MigrationPlan,
  conversions: readonly FieldConversion[],
  folder: string,
  width: number,
): string => {
  const lines = table(
    conversions,
    [
      { title: 'OBJECT', value: ({ object }) => object },
      { title: 'FIELD', value: ({ field }) => field },
      { title: 'FATE', value: ({ fate }) => fate },
      { title: 'NOW', value: ({ to }) => to ?? '' },
      { title: 'BECAUSE', value: ({ because }) => because ?? '' },
    ],
    width,
  )
  return [
    ...lines,
    '',
    ...plan.kept.map(({ name, because }) => `The node group ${name} is kept: ${because}`),
    `${plan.groups.length} node groups, ${new Set(plan.groups.map(({ pool }) => pool)).size} NodePools; fields and flags: ${counted(conversions, 'carried over')} carried over, ${counted(conversions, 'changed')} changed, ${counted(conversions, 'not carried over')} not carried over`,
    ...(plan.questions.length === 0
      ? []
      : ['', 'To decide:', ...plan.questions.map(({ object, message }) => `  ${object}: ${message}`)]),
    '',
    `Written to ${folder}; begin with its README.md. Nothing was applied.`,
    '',
  ].join('\n')
}

const phaseText = (
  { phase, name, why, goOnWhen, wayBack, steps }: MigrationPlan['phases'][number],
  folder: string,
): string =>
  [
    `## Phase ${phase}: ${name}`,
    '',
    why,
    '',
    ...(steps.length === 0
      ? ['Nothing has to be done.']
      : steps.map((step, index) => `${index + 1}. ${stepText(step)}`)),
    '',
    '```sh',
    `kerf migrate apply ${folder} --phase ${phase}              # shows what it would do`,
    `kerf migrate apply ${folder} --phase ${phase} --dry-run=false`,
    '```',
    '',
    `Continue when ${goOnWhen}.`,
    '',
    `Way back: ${wayBack}. \`kerf migrate apply ${folder} --phase ${phase} --undo --dry-run=false\``,
    '',
  ].join('\n')

/** Returns the README of the migration folder. */
export const planPage = (plan: MigrationPlan, conversions: readonly FieldConversion[]): string => {
  const folder = '.'
  const dropped = conversions.filter(({ fate }) => fate === 'not carried over')
  return [
    '# From Cluster Autoscaler to Kerf',
    '',
    'Written by `kerf migrate cas`. Nothing was applied. Each phase can be undone, and if you run an interrupted phase again, it continues where it stopped.',
    '',
    '| node group | NodePool | sizes |',
    '|---|---|---|',
    ...plan.groups.map(({ name, pool, min, max }) => `| ${name} | ${pool} | ${min} to ${max} |`),
    ...plan.kept.map(
      ({ name, min, max, size, because }) =>
        `| ${name} | none: it is kept, ${because} | ${min} to ${max}, fixed at ${size} in phase 2 |`,
    ),
    '',
    ...(plan.questions.length === 0
      ? []
      : ['## To decide first', '', ...plan.questions.map(({ object, message }) => `- ${object}: ${message}`), '']),
    ...plan.phases.map((phase) => phaseText(phase, folder)),
    '## Not carried over',
    '',
    ...(dropped.length === 0
      ? ['Everything was carried over.']
      : dropped.map(({ object, field, because }) => `- ${object}, ${field}: ${because}`)),
    '',
    'All fields and flags are in `report.json`.',
    '',
  ].join('\n')
}
