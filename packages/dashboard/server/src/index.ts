export { type BuildOptions, buildDashboard, buildPlugin, installToolchain } from './build-dashboard.ts'
export {
  type DashboardCluster,
  type DashboardFiles,
  type DashboardOptions,
  DashboardServer,
  type LocalController,
} from './dashboard-server.ts'
