import { importProviderExports } from '../provider-exports.ts'

/**
 * A part of Kerf for which mutation testing checks the tests. A role contains only paths, so only this list has to change when files move.
 */
export interface Role {
  /** The folders or files to mutate. */
  readonly folders: readonly string[]
  /** Additional tests to run, given as folders or test files. */
  readonly tests: readonly string[]
  /** Test files in those folders that do not run, each with its reason. Excluding tests can only lower the score. */
  readonly leftOut?: Readonly<Record<string, string>>
}

/** The roles that each provider exports from `./testing/mutation-roles`. */
const ofProviders = await importProviderExports<{ readonly roles: Readonly<Record<string, Role>> }>(
  './testing/mutation-roles',
)

const RAW_SOCKETS = 'seconds for each mutant; what it proves is that no bytes get past the server'

const nodeClaim = 'packages/controllers/src/nodeclaim'
const table = 'packages/controllers/src/controller-table.test.ts'

export const ROLES: Readonly<Record<string, Role>> = {
  disruption: {
    folders: ['packages/controllers/src/disruption'],
    tests: [table],
    leftOut: {
      'packages/controllers/src/disruption/faults.test.ts':
        'eight whole clusters: that all comes to rest, whatever calls fail',
    },
  },
  termination: {
    folders: ['packages/controllers/src/node/termination', `${nodeClaim}/deadline.ts`],
    tests: ['packages/controllers/src/nodeclaim/lifecycle', table],
  },
  lifecycle: {
    folders: [`${nodeClaim}/lifecycle`],
    tests: [nodeClaim, 'packages/controllers/src/gone-between.test.ts', table],
  },
  'garbage-collection': {
    folders: [`${nodeClaim}/garbage-collection.ts`, `${nodeClaim}/ownership.ts`],
    tests: [nodeClaim, table],
  },
  expiration: {
    folders: [`${nodeClaim}/expiration.ts`, `${nodeClaim}/clock-hold.ts`],
    tests: [`${nodeClaim}/expiration.test.ts`, 'packages/controllers/src/modes', table],
  },
  'static-capacity': { folders: ['packages/controllers/src/nodepool/static-capacity'], tests: [table] },
  ...Object.assign({}, ...ofProviders.map(({ roles }) => roles)),
  'http-client': {
    folders: ['packages/runtime/src/http-client'],
    tests: ['packages/runtime/src/connection', 'packages/runtime/src/election'],
  },
  events: { folders: ['packages/runtime/src/events'], tests: [] },
  serving: {
    folders: ['packages/runtime/src/serving'],
    tests: [],
    leftOut: {
      'packages/runtime/src/serving/endpoints.raw-socket.test.ts': RAW_SOCKETS,
      'packages/runtime/src/serving/profiles.test.ts':
        'seconds of profiling for each mutant; what it proves is that Go’s tool reads it',
    },
  },
  election: { folders: ['packages/runtime/src/election'], tests: [] },
  'dashboard-server': {
    folders: ['packages/dashboard/server/src'],
    tests: [],
    leftOut: { 'packages/dashboard/server/src/dashboard-server.raw-socket.test.ts': RAW_SOCKETS },
  },
}
